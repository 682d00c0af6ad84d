;;; rl-ts-mode.el --- Major mode for rl programs, with tree-sitter  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages

;;; Commentary:

;;   (add-to-list 'load-path ".../editors/emacs")
;;   (require 'rl-ts-mode)
;;   M-x rl-ts-mode-install-grammar      once; needs a C compiler

;;; Code:

(require 'rl-mode)
(require 'treesit)

(declare-function treesit-parser-create "treesit.c")

(defconst rl-ts-mode--directory
  (file-name-directory (or load-file-name buffer-file-name))
  "Where this file is.")

(defconst rl-ts-mode--operators
  '("+" "-" "*" "/" "//" "%" "@" "^" "==" "!=" "<" "<=" ">" ">=" "=" "~" ".." "..=" "->"))

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
     `([,@rl-mode--keywords] @font-lock-keyword-face
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
                        (:match ,(rl-ts-mode--words rl-mode--types) @font-lock-type-face))
       (call_expression function: (identifier) @font-lock-builtin-face
                        (:match ,(rl-ts-mode--words rl-mode--functions) @font-lock-builtin-face)))
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
     (catch-all standalone-parent rl-mode-indent-offset))))

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

;;;###autoload
(define-derived-mode rl-ts-mode rl-mode "rl"
  "Major mode for rl programs, with tree-sitter."
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

(provide 'rl-ts-mode)
;;; rl-ts-mode.el ends here
