;;; test.el --- Run by editors/test.sh: emacs -Q --batch -l test.el  -*- lexical-binding: t; -*-
(setq user-emacs-directory (file-name-as-directory (make-temp-file "rl" t)))
(defconst test-directory (file-name-directory load-file-name))
(require 'bytecomp)
(setq byte-compile-error-on-warn t)
(let ((byte-compile-dest-file-function (lambda (_) (expand-file-name "rl.elc" user-emacs-directory))))
  (unless (byte-compile-file (expand-file-name "rl-ts-mode.el" test-directory)) (kill-emacs 1)))
(load (expand-file-name "rl-ts-mode.el" test-directory) nil t)
(require 'ert)
(rl-ts-mode-install-grammar)

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

(defmacro test-with-program (text &rest body)
  (declare (indent 1))
  `(with-temp-buffer
     (insert ,text)
     (rl-ts-mode-unless-ragel)
     ,@body))

(defun test-face (text)
  (goto-char (point-min))
  (search-forward text)
  (get-text-property (match-beginning 0) 'face))

(ert-deftest faces ()
  (test-with-program test-program
    (setq treesit-font-lock-level 4)
    (treesit-font-lock-recompute-features)
    (font-lock-ensure)
    (dolist (case '(("## The" font-lock-doc-face) ("param" font-lock-keyword-face) ("gamma" font-lock-constant-face)
                    ("0.99" font-lock-number-face) ("# a c" font-lock-comment-face) ("until" font-lock-keyword-face)
                    ("gae" font-lock-function-name-face) ("f32" font-lock-type-face) ("A[t]" font-lock-variable-name-face)
                    ("sum" font-lock-builtin-face) ("E {" font-lock-type-face) ("step" font-lock-function-name-face)
                    ("x' =" font-lock-variable-name-face) ("loss =" font-lock-variable-name-face) ("loss\n" nil)
                    ("\\n" font-lock-escape-face) ("each" font-lock-keyword-face) ("print" font-lock-keyword-face)))
      (should (equal (cons (car case) (test-face (car case))) (cons (car case) (cadr case)))))))

(ert-deftest indentation ()
  (test-with-program (replace-regexp-in-string "^ +" "" test-program)
    (indent-region (point-min) (point-max))
    (should (equal (buffer-string) test-program))))

(ert-deftest outline ()
  (test-with-program test-program
    (should (equal (mapcar #'car (treesit-simple-imenu)) '("Functions" "Types" "Indices" "Params")))))

(ert-deftest ragel ()
  (test-with-program "%%{\n  machine hello;\n}%%\n"
    (should (eq major-mode 'fundamental-mode))))

(ert-run-tests-batch-and-exit)
;;; test.el ends here
