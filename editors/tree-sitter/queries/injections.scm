; Documentation is Markdown.
((doc_comment) @injection.content
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "markdown")
  (#set! injection.combined))

([(comment) (block_comment)] @injection.content
  (#set! injection.language "comment"))
