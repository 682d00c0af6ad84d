;;; rl-ts-mode.el --- Major mode for rl programs, with tree-sitter  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages

;;; Commentary:

;; Recurrence equations for deep reinforcement learning, compiled by rlc.
;;
;;   (add-to-list 'load-path ".../editors/emacs")
;;   (require 'rl-ts-mode)
;;   M-x rl-ts-mode-install-grammar      once; needs a C compiler
;;
;; Eglot finds the language server (rlc lsp) by itself: M-x eglot.

;;; Code:

(require 'treesit)
(require 'compile)

(declare-function treesit-parser-create "treesit.c")

(defgroup rl nil "Recurrence equations for reinforcement learning." :group 'languages)

(defcustom rl-ts-mode-program "rlc"
  "The compiler, which is the language server too."
  :type 'string)

(defcustom rl-ts-mode-indent-offset 2
  "Columns of one level of indentation."
  :type 'natnum
  :safe #'natnump)

(defconst rl-ts-mode--directory
  (file-name-directory (or load-file-name buffer-file-name))
  "Where this file is.")

(defconst rl-ts-mode--keywords
  '("use" "param" "index" "record" "fn" "loss" "module" "policy" "env" "weight" "state" "action" "print" "report" "save"
    "each" "as" "over" "until" "if" "then" "else" "for" "in" "where" "and" "or" "not"))

(defconst rl-ts-mode--constants '("true" "false"))

(defconst rl-ts-mode--types '("bool" "u8" "i32" "i64" "bf16" "f32" "f64"))

(defconst rl-ts-mode--functions
  '("sum" "mean" "prod" "max" "min" "argmax" "argmin" "any" "all" "var" "std" "logsumexp"
    "softmax" "log_softmax" "cumsum" "sort" "argsort" "begin" "end" "grad" "detach" "reparam"
    "exp" "log" "sqrt" "tanh" "sin" "cos" "abs" "floor" "ceil" "round" "sign" "clip" "minimum" "maximum"
    "concat" "stack" "reshape" "transpose" "one_hot" "dot" "norm" "sigmoid" "relu" "erf" "isnan"))

(defconst rl-ts-mode--operators
  '("+" "-" "*" "/" "//" "%" "@" "^" "==" "!=" "<" "<=" ">" ">=" "=" "~" ".." "..=" "->"))

(defvar rl-ts-mode--syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?/ ". 14b" table)
    (modify-syntax-entry ?* ". 23b" table)
    (modify-syntax-entry ?' "w" table)
    (modify-syntax-entry ?_ "_" table)
    (dolist (char (string-to-list "+-%@^=~<>"))
      (modify-syntax-entry char "." table))
    table))

(defun rl-ts-mode--words (words)
  "A regular expression of exactly WORDS."
  (concat "\\`" (regexp-opt words) "\\'"))

(defvar rl-ts-mode--font-lock-settings
  (when (treesit-available-p)
    (treesit-font-lock-rules
     :language 'rl :feature 'comment
     '([(comment) (block_comment)] @font-lock-comment-face
       (doc_comment) @font-lock-doc-face)
     :language 'rl :feature 'string
     '((string) @font-lock-string-face)
     :language 'rl :feature 'escape :override t
     '((escape_sequence) @font-lock-escape-face)
     :language 'rl :feature 'keyword
     `([,@rl-ts-mode--keywords] @font-lock-keyword-face
       (boolean) @font-lock-constant-face)
     :language 'rl :feature 'definition
     '((fn_item name: (identifier) @font-lock-function-name-face)
       (loss_item name: (identifier) @font-lock-function-name-face)
       (method_item name: (identifier) @font-lock-function-name-face)
       (block_item name: (identifier) @font-lock-function-name-face)
       (record_item name: (identifier) @font-lock-type-face)
       (module_item name: (identifier) @font-lock-type-face)
       (policy_item name: (identifier) @font-lock-type-face)
       (env_item name: (identifier) @font-lock-type-face)
       (param_declaration name: (identifier) @font-lock-constant-face)
       (index_item name: (identifier) @font-lock-variable-name-face)
       (weight_item name: (identifier) @font-lock-variable-name-face)
       (field name: (identifier) @font-lock-property-name-face)
       (parameter name: (identifier) @font-lock-variable-name-face)
       (equation left: (identifier) @font-lock-variable-name-face)
       (equation left: (subscript_expression base: (identifier) @font-lock-variable-name-face))
       (equation left: (tuple (identifier) @font-lock-variable-name-face))
       (draw left: (identifier) @font-lock-variable-name-face)
       (draw left: (subscript_expression base: (identifier) @font-lock-variable-name-face)))
     :language 'rl :feature 'type
     '((type name: (path (identifier) @font-lock-type-face))
       (use_item path: (path (identifier) @font-lock-type-face :anchor))
       (members (identifier) @font-lock-type-face))
     :language 'rl :feature 'number
     '([(integer) (float)] @font-lock-number-face)
     :language 'rl :feature 'builtin
     `((call_expression function: (identifier) @font-lock-type-face
                        (:match ,(rl-ts-mode--words rl-ts-mode--types) @font-lock-type-face))
       (call_expression function: (identifier) @font-lock-builtin-face
                        (:match ,(rl-ts-mode--words rl-ts-mode--functions) @font-lock-builtin-face)))
     :language 'rl :feature 'function
     '((call_expression function: (identifier) @font-lock-function-call-face)
       (call_expression function: (member_expression member: (identifier) @font-lock-function-call-face)))
     :language 'rl :feature 'property
     '((member_expression member: (identifier) @font-lock-property-use-face)
       (argument name: (identifier) @font-lock-property-use-face)
       (field_value name: (identifier) @font-lock-property-use-face))
     :language 'rl :feature 'operator
     `([,@rl-ts-mode--operators] @font-lock-operator-face)
     :language 'rl :feature 'bracket
     '(["(" ")" "[" "]" "{" "}"] @font-lock-bracket-face)
     :language 'rl :feature 'delimiter
     '(["," ";" ":" "."] @font-lock-delimiter-face))))

(defvar rl-ts-mode--indent-rules
  `((rl
     ((parent-is "source_file") column-0 0)
     ((node-is ,(rx bos (any ")]}") eos)) standalone-parent 0)
     ((parent-is "block_comment") prev-adaptive-prefix 0)
     ;; Of a right side that goes on in the next line, as of what stands in brackets.
     (catch-all standalone-parent rl-ts-mode-indent-offset))))

(defun rl-ts-mode--name (node)
  "The name that NODE, an item, declares."
  (treesit-node-text (treesit-node-child-by-field-name node "name") t))

(defun rl-ts-mode-install-grammar ()
  "Compile the tree-sitter grammar that comes with this file."
  (interactive)
  (let* ((source (expand-file-name "../tree-sitter/src/" rl-ts-mode--directory))
         (folder (locate-user-emacs-file "tree-sitter/"))
         (library (concat folder "libtree-sitter-rl" module-file-suffix))
         (buffer (get-buffer-create "*rl grammar*")))
    (make-directory folder t)
    (unless (eq 0 (call-process (or (executable-find "cc") "gcc") nil buffer nil "-shared" "-fPIC" "-O2" "-I" source
                                (concat source "parser.c") (concat source "scanner.c") "-o" library))
      (display-buffer buffer)
      (error "The grammar could not be compiled"))
    (message "%s is there" library)))

(defun rl-ts-mode-run (arguments)
  "Run the program of this buffer with ARGUMENTS, such as iterations=50."
  (interactive "sArguments: ")
  (save-buffer)
  (compile (format "%s run %s %s" rl-ts-mode-program (shell-quote-argument buffer-file-name) arguments)))

(defun rl-ts-mode-explain-schedule ()
  "Show which loops the program of this buffer became."
  (interactive)
  (save-buffer)
  (let ((file buffer-file-name))
    (with-current-buffer (get-buffer-create "*rl schedule*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (call-process rl-ts-mode-program nil t nil "explain" "schedule" file)
        (goto-char (point-min)))
      (special-mode)
      (display-buffer (current-buffer)))))

(defvar-keymap rl-ts-mode-map
  :doc "Keys of `rl-ts-mode'."
  "C-c C-c" #'rl-ts-mode-run
  "C-c C-e" #'rl-ts-mode-explain-schedule)

;;;###autoload
(define-derived-mode rl-ts-mode prog-mode "rl"
  "Major mode for rl programs."
  :syntax-table rl-ts-mode--syntax-table
  (setq-local comment-start "# "
              comment-end ""
              comment-start-skip (rx (+ "#") (* (syntax whitespace)))
              indent-tabs-mode nil
              electric-indent-chars (append "{}()[]" electric-indent-chars)
              compile-command (concat rl-ts-mode-program " check " (shell-quote-argument (or buffer-file-name ""))))
  (unless (treesit-ready-p 'rl t)
    (user-error "No tree-sitter grammar for rl: M-x rl-ts-mode-install-grammar"))
  (treesit-parser-create 'rl)
  (setq-local treesit-font-lock-settings rl-ts-mode--font-lock-settings
              treesit-font-lock-feature-list
              '((comment definition) (keyword string type) (builtin escape function number property)
                (bracket delimiter operator))
              treesit-simple-indent-rules rl-ts-mode--indent-rules
              treesit-defun-type-regexp (rx bos (or "fn" "loss" "method" "module" "policy" "env" "record") "_item" eos)
              treesit-defun-name-function #'rl-ts-mode--name
              treesit-simple-imenu-settings
              '(("Functions" "\\`\\(?:fn\\|loss\\|method\\)_item\\'" nil rl-ts-mode--name)
                ("Types" "\\`\\(?:module\\|policy\\|env\\|record\\)_item\\'" nil rl-ts-mode--name)
                ("Indices" "\\`index_item\\'" nil rl-ts-mode--name)
                ("Params" "\\`param_declaration\\'" nil rl-ts-mode--name)))
  (treesit-major-mode-setup))

(defun rl-ts-mode--ragel-p ()
  "Whether the buffer is a program of Ragel, whose files end with .rl too."
  (save-excursion
    (goto-char (point-min))
    (re-search-forward (rx bol (* blank) (or "%%" (seq "machine" (+ blank) (+ word) (* blank) ";"))) 100000 t)))

;;;###autoload
(defun rl-ts-mode-unless-ragel ()
  "`rl-ts-mode', or `ragel-mode' where it is there and the buffer looks like its."
  (interactive)
  (cond ((not (rl-ts-mode--ragel-p)) (rl-ts-mode))
        ((fboundp 'ragel-mode) (funcall 'ragel-mode))
        (t (fundamental-mode))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.rl\\'" . rl-ts-mode-unless-ragel))

(add-to-list 'compilation-error-regexp-alist-alist
             '(rlc "^\\(.+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(note\\)\\)" 1 2 3 (4 . 5)))
(add-to-list 'compilation-error-regexp-alist 'rlc)

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs `(rl-ts-mode . (,rl-ts-mode-program "lsp"))))

(provide 'rl-ts-mode)
;;; rl-ts-mode.el ends here
