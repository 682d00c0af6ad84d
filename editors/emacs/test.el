;;; test.el --- Run by editors/test.sh: emacs -Q --batch -l test.el  -*- lexical-binding: t; -*-
;; `rl-mode' in any Emacs, `rl-ts-mode' in one with tree-sitter where a C compiler is.
(setq user-emacs-directory (file-name-as-directory (make-temp-file "rl" t)))
(defconst test-directory (file-name-directory load-file-name))
(defconst test-tree-sitter (and (fboundp 'treesit-available-p) (treesit-available-p) (executable-find "cc") t))
(add-to-list 'load-path test-directory)
(require 'bytecomp)
(require 'ert)
(require 'imenu)
(setq byte-compile-error-on-warn t)
(dolist (file (if test-tree-sitter '("rl-mode.el" "rl-ts-mode.el") '("rl-mode.el")))
  (let ((byte-compile-dest-file-function (lambda (_) (expand-file-name "rl.elc" user-emacs-directory))))
    (unless (byte-compile-file (expand-file-name file test-directory)) (kill-emacs 1)))
  (load (expand-file-name file test-directory) nil t))
(when test-tree-sitter (rl-ts-mode-install-grammar))

(defconst test-program "## The discount.
param gamma = 0.99  # a comment
index t in 0..10 until done
fn gae(r: f32, λ: f32) over t -> f32 {
  A[t] = if t == 0 then 1.0
    else sum(r[k] for k in 0..t) * λ
  b = max(A,
    r)
  A
}
env E {
  step(a) {
    x' = x + index
  }
}
loss = loss
  + 3.0
print \"a\\n\", x each 2 i
")

(defmacro test-with-program (mode text &rest body)
  (declare (indent 2))
  `(with-temp-buffer
     (insert ,text)
     (funcall ,mode)
     ,@body))

(defun test-face (text)
  (goto-char (point-min))
  (search-forward text)
  (get-text-property (match-beginning 0) 'face))

(defconst test-faces
  '(("## The" font-lock-doc-face) ("param" font-lock-keyword-face) ("gamma" font-lock-constant-face)
    ("a comment" font-lock-comment-face) ("until" font-lock-keyword-face) ("index t" font-lock-keyword-face)
    ("gae" font-lock-function-name-face) ("f32 {" font-lock-type-face) ("A[t]" font-lock-variable-name-face)
    ("sum" font-lock-builtin-face) ("E {" font-lock-type-face) ("step" font-lock-function-name-face)
    ("x' =" font-lock-variable-name-face) ("index\n" nil) ("loss =" font-lock-variable-name-face) ("loss\n" nil)
    ("each" font-lock-keyword-face) ("print" font-lock-keyword-face)))

(defun test-check-faces (cases)
  (font-lock-ensure)
  (dolist (case cases)
    (should (equal (list (car case) (test-face (car case))) case))))

(defun test-check-indentation (mode)
  (test-with-program mode (replace-regexp-in-string "^ +" "" test-program)
    (indent-region (point-min) (point-max))
    (should (equal (buffer-string) test-program))))

(ert-deftest faces ()
  (test-with-program #'rl-mode test-program
    (test-check-faces test-faces)
    (should (member 'font-lock-constant-face (let ((face (test-face "\\n"))) (if (listp face) face (list face)))))))

(ert-deftest indentation () (test-check-indentation #'rl-mode))

(ert-deftest programs-stay-as-they-are ()
  (dolist (file (apply #'append (mapcar (lambda (folder) (directory-files-recursively (expand-file-name folder test-directory) "\\.rl\\'"))
                                        '("../../examples" "../../stdlib"))))
    (with-temp-buffer
      (insert-file-contents file)
      (let ((text (buffer-string)))
        (rl-mode)
        (let ((inhibit-message t)) (indent-region (point-min) (point-max)))
        (should (equal (list file (buffer-string)) (list file text)))))))

(ert-deftest outline ()
  (test-with-program #'rl-mode test-program
    (should (equal (sort (delete "*Rescan*" (mapcar #'car (imenu--make-index-alist t))) #'string<)
                   '("Functions" "Indices" "Params" "Types")))))

(ert-deftest comments ()
  (test-with-program #'rl-mode "x = 1\n"
    (comment-region (point-min) (point-max))
    (should (equal (buffer-string) "# x = 1\n"))))

(ert-deftest ragel ()
  (test-with-program #'rl-mode-unless-ragel "%%{\n  machine hello;\n}%%\n"
    (should (eq major-mode 'fundamental-mode))))

(ert-deftest files ()
  (let ((buffer (find-file-noselect (expand-file-name "../../examples/value_iteration.rl" test-directory))))
    (with-current-buffer buffer
      (should (eq major-mode (if test-tree-sitter 'rl-ts-mode 'rl-mode)))
      (should (derived-mode-p 'rl-mode)))
    (kill-buffer buffer)))

(ert-deftest tree-sitter-faces ()
  (skip-unless test-tree-sitter)
  (test-with-program #'rl-ts-mode test-program
    (setq treesit-font-lock-level 4)
    (treesit-font-lock-recompute-features)
    (test-check-faces test-faces)
    (test-check-faces '(("0.99" font-lock-number-face) ("\\n" font-lock-escape-face)))))

(ert-deftest tree-sitter-indentation ()
  (skip-unless test-tree-sitter)
  (test-check-indentation #'rl-ts-mode))

(ert-deftest tree-sitter-outline ()
  (skip-unless test-tree-sitter)
  (test-with-program #'rl-ts-mode test-program
    (should (equal (mapcar #'car (treesit-simple-imenu)) '("Functions" "Types" "Indices" "Params")))))

(message "Emacs %s, %s" emacs-version (if test-tree-sitter "with tree-sitter" "without tree-sitter"))
(ert-run-tests-batch-and-exit)
;;; test.el ends here
