-- Neovim: the language server (`rlc lsp`) and the tree-sitter parser.
--   require("rl").setup()                            with `rlc` on PATH
--   require("rl").setup({ cmd = { "/opt/rlc", "lsp" }, on_attach = function(client, buffer) ... end })
local M = {}

local function root_of(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  local folder = path ~= "" and vim.fn.fnamemodify(path, ":p:h") or vim.fn.getcwd()
  local git = vim.fn.finddir(".git", vim.fn.escape(folder, " ;,") .. ";")
  return git ~= "" and vim.fn.fnamemodify(git, ":p:h:h") or folder
end

-- Neovim before 0.8 keeps no register of clients by root.
local clients = {}

local function start(config, buffer)
  local options = vim.tbl_extend("force", { name = "rl", cmd = { vim.g.rl_program or "rlc", "lsp" } }, config)
  options.root_dir = options.root_dir or root_of(buffer)
  if vim.lsp.start then
    vim.lsp.start(options, { bufnr = buffer })
    return
  end
  local client = clients[options.root_dir]
  if not client or vim.lsp.client_is_stopped(client) then
    client = vim.lsp.start_client(options)
    clients[options.root_dir] = client
  end
  if client then vim.lsp.buf_attach_client(buffer, client) end
end

function M.setup(config)
  config = config or {}
  local group = vim.api.nvim_create_augroup("rl", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "rl",
    callback = function(event)
      local cmd = config.cmd or { vim.g.rl_program or "rlc", "lsp" }
      if vim.fn.executable(cmd[1]) == 1 then
        start(config, event.buf)
      else
        vim.notify_once(cmd[1] .. " was not found: no language server for rl", vim.log.levels.WARN)
      end
      if M.has_parser() and vim.treesitter.start then vim.treesitter.start(event.buf, "rl") end
    end,
  })
end

function M.has_parser()
  return #vim.api.nvim_get_runtime_file("parser/rl.so", false) > 0
end

-- Compiles editors/tree-sitter into Neovim's data folder; needs a C compiler.
function M.install_parser()
  local here = debug.getinfo(1, "S").source:sub(2)
  local source = vim.fn.fnamemodify(here, ":p:h:h:h:h") .. "/tree-sitter"
  local site = vim.fn.stdpath("data") .. "/site"
  vim.fn.mkdir(site .. "/parser", "p")
  vim.fn.mkdir(site .. "/queries/rl", "p")
  local output = vim.fn.system({
    "cc", "-shared", "-fPIC", "-O2", "-I", source .. "/src", source .. "/src/parser.c", source .. "/src/scanner.c",
    "-o", site .. "/parser/rl.so",
  })
  if vim.v.shell_error ~= 0 then error("the parser could not be compiled:\n" .. output) end
  for _, query in ipairs(vim.fn.glob(source .. "/queries/*.scm", false, true)) do
    vim.fn.writefile(vim.fn.readfile(query), site .. "/queries/rl/" .. vim.fn.fnamemodify(query, ":t"))
  end
end

return M
