;;; rl-mode.el --- Major mode for rl programs  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages

;;; Commentary:

;; Recurrence equations for deep reinforcement learning, compiled by rlc.
;;
;;   (add-to-list 'load-path ".../editors/emacs")
;;   (require 'rl-mode)
;;
;; Colours come from regular expressions.  Emacs 29 or later opens programs in `rl-ts-mode' instead, once its
;; grammar is there.  Eglot finds the language server (rlc lsp) by itself: M-x eglot.

;;; Code:

(require 'compile)

(defgroup rl nil "Recurrence equations for reinforcement learning." :group 'languages)

(defcustom rl-mode-program "rlc"
  "The compiler, which is the language server too."
  :type 'string)

(defcustom rl-mode-indent-offset 2
  "Columns of one level of indentation."
  :type 'integer
  :safe #'integerp)

(defconst rl-mode--keywords
  '("use" "param" "index" "record" "fn" "loss" "module" "policy" "env" "weight" "state" "action" "print" "report" "save"
    "each" "as" "over" "until" "if" "then" "else" "for" "in" "where" "and" "or" "not"))

(defconst rl-mode--constants '("true" "false"))

(defconst rl-mode--types '("bool" "u8" "i32" "i64" "bf16" "f32" "f64"))

(defconst rl-mode--functions
  '("sum" "mean" "prod" "max" "min" "argmax" "argmin" "any" "all" "var" "std" "logsumexp"
    "softmax" "log_softmax" "cumsum" "sort" "argsort" "begin" "end" "grad" "detach" "reparam"
    "exp" "log" "sqrt" "tanh" "sin" "cos" "abs" "floor" "ceil" "round" "sign" "clip" "minimum" "maximum"
    "concat" "stack" "reshape" "transpose" "one_hot" "dot" "norm" "sigmoid" "relu" "erf" "isnan"))

(defvar rl-mode--syntax-table
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

;; ---- colours ------------------------------------------------------------------------------------------------------

(defconst rl-mode--name "\\_<[[:alpha:]_]\\(?:\\sw\\|\\s_\\)*")

;; Words that begin an item, and those that are words only at their place, are names elsewhere.
(defconst rl-mode--begin "\\(?:^\\|[;{}]\\)[ \t]*")
(defconst rl-mode--functions-begin '("fn" "loss"))
(defconst rl-mode--types-begin '("module" "policy" "env" "record"))
(defconst rl-mode--sinks-begin '("print" "report" "save" "use"))
(defconst rl-mode--fields-begin '("weight" "state" "action"))
(defconst rl-mode--inside '("each" "as" "over" "until" "where"))
(defconst rl-mode--always '("if" "then" "else" "for" "in" "and" "or" "not"))

(defun rl-mode--item (words face)
  "How an item that begins with one of WORDS is shown, its name in FACE."
  (list (concat rl-mode--begin (regexp-opt words t) "[ \t]+\\(" rl-mode--name "\\)")
        '(1 font-lock-keyword-face) (list 2 face)))

(defconst rl-mode--font-lock-keywords
  (list
   (rl-mode--item rl-mode--functions-begin 'font-lock-function-name-face)
   (rl-mode--item rl-mode--types-begin 'font-lock-type-face)
   (rl-mode--item '("param") 'font-lock-constant-face)
   (rl-mode--item (cons "index" rl-mode--fields-begin) 'font-lock-variable-name-face)
   (list (concat rl-mode--begin (regexp-opt rl-mode--fields-begin t) "[ \t]*[{:]") 1 'font-lock-keyword-face)
   (list (concat rl-mode--begin (regexp-opt rl-mode--sinks-begin t) "\\(?:[ \t]*[\".(]\\|[ \t]+[[:alnum:]_-]\\)")
         1 'font-lock-keyword-face)
   (list (concat "[])}\"[:alnum:]_'][ \t]+" (regexp-opt rl-mode--inside t) "\\_>[ \t]*[\"([:alnum:]_]")
         1 'font-lock-keyword-face)
   (cons (regexp-opt rl-mode--always 'symbols) 'font-lock-keyword-face)
   (cons (regexp-opt rl-mode--constants 'symbols) 'font-lock-constant-face)
   (cons (regexp-opt rl-mode--types 'symbols) 'font-lock-type-face)
   (list (concat "->[ \t]*\\(" rl-mode--name "\\)") 1 'font-lock-type-face)
   (list (concat (regexp-opt rl-mode--functions 'symbols) "[ \t]*(") 1 'font-lock-builtin-face)
   ;; The left side of an equation or a draw.
   (list (concat rl-mode--begin "\\(" rl-mode--name "\\)[ \t]*\\(?:\\[[^]\n]*\\][ \t]*\\)?\\(?:~\\|=\\(?:[^=]\\|$\\)\\)")
         1 'font-lock-variable-name-face)
   ;; A method of an environment or a policy.
   (list (concat "^[ \t]+\\(" rl-mode--name "\\)[ \t]*([^()]*)[ \t]*\\(?:->[^={]*\\)?{") 1 'font-lock-function-name-face)
   '("\\\\\\(?:u{[[:xdigit:]]+}\\|[ntr0\\\"]\\)" 0 font-lock-constant-face prepend)))

(defun rl-mode--syntactic-face (state)
  "The face of the string or comment that STATE is in."
  (cond ((nth 3 state) 'font-lock-string-face)
        ((save-excursion (goto-char (nth 8 state)) (looking-at-p "##")) 'font-lock-doc-face)
        (t 'font-lock-comment-face)))

;; ---- indentation -------------------------------------------------------------------------------------------------

(defconst rl-mode--ends-open
  (concat "\\(?:[-=~+*/%@^<>:]\\|" (regexp-opt '("then" "else" "and" "or" "not" "where" "in" "for") 'symbols) "\\)[ \t]*$")
  "The end of a line with which the next one goes on.")

(defconst rl-mode--begins-open
  (concat "[ \t]*\\(?:" (regexp-opt '("then" "else" "where" "and" "or") 'symbols) "\\|[-+*/%@^=~<>]\\|!=\\|\\.\\.\\)")
  "The beginning of a line that goes on with the one before.")

(defconst rl-mode--lists (concat "[ \t]*" (regexp-opt (cons "param" rl-mode--sinks-begin) 'symbols))
  "The beginning of an item that is a list without brackets.")

(defun rl-mode--previous-line ()
  "Go to the line before that holds code; nil: there is none."
  (let ((found nil))
    (while (and (not found) (= 0 (forward-line -1)))
      (setq found (not (looking-at-p "[ \t]*\\(?:#\\|$\\)"))))
    found))

(defun rl-mode--line-end-state ()
  "What is open at the end of this line, as `syntax-ppss' says it."
  (save-excursion (syntax-ppss (line-end-position))))

(defun rl-mode--line-code ()
  "This line without its comment."
  (let ((state (rl-mode--line-end-state)))
    (buffer-substring-no-properties (line-beginning-position)
                                    (if (nth 4 state) (nth 8 state) (line-end-position)))))

(defun rl-mode--goes-on-p ()
  "Whether this line goes on with the item of the line before.
In round and square brackets and in records the bracket indents already."
  (save-excursion
    (back-to-indentation)
    (let* ((state (syntax-ppss)) (depth (nth 0 state)) (open (nth 1 state))
           (begins (looking-at-p rl-mode--begins-open))
           (items (or (null open) (eq (char-after open) ?{))))
      (and items
           (rl-mode--previous-line)
           (= depth (nth 0 (rl-mode--line-end-state)))
           (let ((code (rl-mode--line-code)))
             (or begins
                 (string-match-p rl-mode--ends-open code)
                 (and (string-match-p ",[ \t]*$" code)
                      (or (null open) (rl-mode--goes-on-p) (looking-at-p rl-mode--lists)))))))))

(defun rl-mode--base (open)
  "The indentation of what the bracket at OPEN belongs to.
It may begin lines before, with brackets that are closed again."
  (save-excursion
    (goto-char open)
    (let ((depth (nth 0 (syntax-ppss))) state)
      (beginning-of-line)
      (while (> (nth 0 (setq state (syntax-ppss))) depth)
        (goto-char (nth 1 state))
        (beginning-of-line))
      (current-indentation))))

(defun rl-mode--column ()
  "Where this line should begin."
  (save-excursion
    (back-to-indentation)
    (let* ((open (nth 1 (syntax-ppss)))
           (closes (looking-at-p "[])}]"))
           (goes-on (and (not closes) (rl-mode--goes-on-p))))
      (+ (if open (+ (rl-mode--base open) (if closes 0 rl-mode-indent-offset)) 0)
         (if goes-on rl-mode-indent-offset 0)))))

(defun rl-mode-indent-line ()
  "Indent this line by its brackets, and where it goes on with the one before."
  (let ((column (rl-mode--column)))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;; ---- commands ----------------------------------------------------------------------------------------------------

(defun rl-mode-run (arguments)
  "Run the program of this buffer with ARGUMENTS, such as iterations=50."
  (interactive "sArguments: ")
  (save-buffer)
  (compile (format "%s run %s %s" rl-mode-program (shell-quote-argument buffer-file-name) arguments)))

(defun rl-mode-explain-schedule ()
  "Show which loops the program of this buffer became."
  (interactive)
  (save-buffer)
  (let ((file buffer-file-name))
    (with-current-buffer (get-buffer-create "*rl schedule*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (call-process rl-mode-program nil t nil "explain" "schedule" file)
        (goto-char (point-min)))
      (special-mode)
      (display-buffer (current-buffer)))))

(defvar rl-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'rl-mode-run)
    (define-key map (kbd "C-c C-e") #'rl-mode-explain-schedule)
    map)
  "Keys of `rl-mode'.")

;;;###autoload
(define-derived-mode rl-mode prog-mode "rl"
  "Major mode for rl programs."
  :syntax-table rl-mode--syntax-table
  (setq-local comment-start "# "
              comment-end ""
              comment-start-skip "#+[ \t]*"
              indent-tabs-mode nil
              electric-indent-chars (append "{}()[]" electric-indent-chars)
              compile-command (concat rl-mode-program " check " (shell-quote-argument (or buffer-file-name "")))
              indent-line-function #'rl-mode-indent-line
              imenu-generic-expression
              `(("Functions" ,(concat "^[ \t]*\\(?:fn\\|loss\\)[ \t]+\\(" rl-mode--name "\\)") 1)
                ("Types" ,(concat "^[ \t]*" (regexp-opt rl-mode--types-begin) "[ \t]+\\(" rl-mode--name "\\)") 1)
                ("Indices" ,(concat "^[ \t]*index[ \t]+\\(" rl-mode--name "\\)") 1)
                ("Params" ,(concat "^[ \t]*param[ \t]+\\(" rl-mode--name "\\)") 1))
              font-lock-defaults
              '(rl-mode--font-lock-keywords nil nil nil
                (font-lock-syntactic-face-function . rl-mode--syntactic-face))))

;; ---- which files ---------------------------------------------------------------------------------------------------

(declare-function treesit-ready-p "treesit")
(declare-function rl-ts-mode "rl-ts-mode")
(autoload 'rl-ts-mode-install-grammar "rl-ts-mode" nil t)

(defun rl-mode--ragel-p ()
  "Whether the buffer is a program of Ragel, whose files end with .rl too."
  (save-excursion
    (goto-char (point-min))
    (re-search-forward (rx bol (* blank) (or "%%" (seq "machine" (+ blank) (+ word) (* blank) ";"))) 100000 t)))

;;;###autoload
(defun rl-mode-unless-ragel ()
  "`rl-ts-mode' where its grammar is, else `rl-mode'.
Ragel's programs get `ragel-mode', if it is there."
  (interactive)
  (cond ((not (rl-mode--ragel-p))
         (if (and (require 'treesit nil t) (treesit-ready-p 'rl t) (require 'rl-ts-mode nil t)) (rl-ts-mode) (rl-mode)))
        ((fboundp 'ragel-mode) (funcall 'ragel-mode))
        (t (fundamental-mode))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.rl\\'" . rl-mode-unless-ragel))

(add-to-list 'compilation-error-regexp-alist-alist
             '(rlc "^\\(.+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(note\\)\\)" 1 2 3 (4 . 5)))
(add-to-list 'compilation-error-regexp-alist 'rlc)

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs `((rl-mode rl-ts-mode) . (,rl-mode-program "lsp"))))

(provide 'rl-mode)
;;; rl-mode.el ends here
