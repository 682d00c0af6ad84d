-- Run by editors/test.sh: nvim -u NONE --headless -c "luafile test.lua", from this folder. Exit status 1 if anything failed.
local function test()
  vim.opt.runtimepath:prepend(vim.fn.getcwd())
  vim.cmd("filetype plugin indent on")
  local rl = require("rl")
  rl.setup({ cmd = { "no-such-program", "lsp" } })
  rl.install_parser()
  vim.opt.runtimepath:append(vim.fn.stdpath("data") .. "/site")
  assert(rl.has_parser(), "the parser is not found")

  local file = vim.fn.tempname() .. ".rl"
  local lines = { "loss = index + sum(x for t)", "loss f(x: f32) over t = x", 'print "a\\n", x each 2 i' }
  vim.fn.writefile(lines, file)
  vim.cmd("edit " .. file)
  assert(vim.bo.filetype == "rl", "the file type is " .. vim.bo.filetype)

  local parser = vim.treesitter.get_parser(0, "rl")
  local root = parser:parse()[1]:root()
  local get = vim.treesitter.query and vim.treesitter.query.get or vim.treesitter.get_query or vim.treesitter.query.get_query
  local query = get("rl", "highlights")
  local groups = {}
  for id, node in query:iter_captures(root, 0, 0, -1) do
    local row, column = node:start()
    groups[row .. ":" .. column] = query.captures[id]
  end
  local expected = {
    ["0:0"] = "variable", ["0:7"] = "variable", ["0:15"] = "function.builtin", ["0:21"] = "keyword.repeat",
    ["1:0"] = "keyword", ["1:5"] = "function", ["1:10"] = "type.builtin", ["1:15"] = "keyword",
    ["2:0"] = "keyword", ["2:8"] = "string.escape", ["2:15"] = "keyword", ["2:20"] = "number",
  }
  for place, group in pairs(expected) do
    assert(groups[place] == group, place .. " is " .. tostring(groups[place]) .. ", not " .. group)
  end
  for _, name in ipairs({ "folds", "indents", "injections", "locals" }) do
    assert(get("rl", name), "no query " .. name)
  end
end

local ok, message = xpcall(test, debug.traceback)
if not ok then io.stderr:write(message .. "\n") end
vim.cmd(ok and "qall!" or "cquit 1")
