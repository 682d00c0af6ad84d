-- Run by editors/test.sh where $RLC has a language server: Neovim opens a program, sees a diagnostic, hovers, renames.
local function wait(what, condition)
  assert(vim.wait(20000, condition, 20), "there was no " .. what)
end

local function test()
  vim.opt.runtimepath:prepend(vim.fn.getcwd())
  vim.cmd("filetype plugin on")
  require("rl").setup({ cmd = { vim.env.RLC, "lsp" } })

  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder)
  local file = folder .. "/decay.rl"
  vim.fn.writefile({ "index t in 0..3", "x[0]   = 1.0", "x[t+1] = 0.5 * xx", "print x" }, file)
  vim.cmd("edit " .. file)
  local buffer = vim.api.nvim_get_current_buf()

  wait("diagnostic", function() return #vim.diagnostic.get(buffer) > 0 end)
  local diagnostic = vim.diagnostic.get(buffer)[1]
  assert(diagnostic.lnum == 2 and diagnostic.col == 15, vim.inspect(diagnostic))

  vim.api.nvim_buf_set_text(buffer, 2, 15, 2, 17, { "x" })
  wait("end of the diagnostic", function() return #vim.diagnostic.get(buffer) == 0 end)

  local function request(method, extra)
    vim.api.nvim_win_set_cursor(0, { 2, 0 })
    local encoding = "utf-16"
    local parameters = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, encoding), extra or {})
    for _, answer in pairs(assert(vim.lsp.buf_request_sync(buffer, method, parameters, 20000), method)) do
      assert(not answer.error, vim.inspect(answer.error))
      return answer.result
    end
    error("no answer to " .. method)
  end

  local hover = vim.inspect(request("textDocument/hover"))
  assert(hover:find("f32"), hover)
  vim.lsp.util.apply_workspace_edit(request("textDocument/rename", { newName = "state" }), "utf-16")
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  assert(table.concat(lines, "\n") == "index t in 0..3\nstate[0]   = 1.0\nstate[t+1] = 0.5 * state\nprint state", vim.inspect(lines))
end

local ok, message = xpcall(test, debug.traceback)
if not ok then io.stderr:write(message .. "\n") end
vim.cmd(ok and "qall!" or "cquit 1")
