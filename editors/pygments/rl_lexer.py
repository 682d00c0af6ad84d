"""A Pygments lexer for rl programs: `pygmentize -x -l rl_lexer.py:RlLexer FILE`, or in Sphinx

    from rl_lexer import RlLexer
    def setup(app): app.add_lexer("rl", RlLexer)
"""

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

__all__ = ["RlLexer"]

# Keywords at the beginning of an item, before a name.
DECLARATIONS = ("param", "index", "weight", "action")
DECLARATIONS_OF_FUNCTIONS = ("fn", "loss")
DECLARATIONS_OF_TYPES = ("record", "module", "policy", "env")
SINKS = ("report", "save")
OTHER_ITEMS = ("use", "state", "print")
# Keywords after an expression.
TRAILING = ("each", "as", "over", "until")
# Keywords anywhere.
RESERVED = ("if", "then", "else", "for", "in", "where")
LOGICAL = ("and", "or", "not")
CONSTANTS = ("true", "false")

TYPES = ("bool", "u8", "i32", "i64", "bf16", "f32", "f64")
FUNCTIONS = (
    "sum", "mean", "prod", "max", "min", "argmax", "argmin", "any", "all", "var", "std", "logsumexp",
    "softmax", "log_softmax", "cumsum", "sort", "argsort", "begin", "end", "grad", "detach", "reparam",
    "exp", "log", "sqrt", "tanh", "sin", "cos", "abs", "floor", "ceil", "round", "sign", "clip", "minimum", "maximum",
    "concat", "stack", "reshape", "transpose", "one_hot", "dot", "norm", "sigmoid", "relu", "erf", "isnan")

# A prime marks the next state of an env: x'.
NAME = r"[^\W\d]\w*'*"
BEHIND = r"(?<![\w.'])"
AHEAD = r"(?![\w'])"
START = r"(^|[;{}])([ \t]*)"


def _alternatives(items):
    return "(" + "|".join(items) + ")"


class RlLexer(RegexLexer):
    name = "rl"
    aliases = ["rl"]
    filenames = ["*.rl"]
    mimetypes = ["text/x-rl"]
    url = ""

    tokens = {
        "root": [
            (r"##.*", String.Doc),
            (r"#.*", Comment.Single),
            (r"/\*", Comment.Multiline, "comment"),
            (START + _alternatives(DECLARATIONS) + r"(\s+)(?=[^\W\d])", bygroups(Punctuation, Whitespace, Keyword.Declaration, Whitespace)),
            (START + _alternatives(DECLARATIONS_OF_FUNCTIONS) + rf"(\s+)({NAME})",
             bygroups(Punctuation, Whitespace, Keyword.Declaration, Whitespace, Name.Function)),
            (START + _alternatives(DECLARATIONS_OF_TYPES) + rf"(\s+)({NAME})",
             bygroups(Punctuation, Whitespace, Keyword.Declaration, Whitespace, Name.Class)),
            (START + _alternatives(SINKS) + r'(\s+)(?=["\w])', bygroups(Punctuation, Whitespace, Keyword, Whitespace)),
            (START + r"(use)([ \t]+)(?=[\".\w])(\.*)((?:%s\s*\.\s*)*)(%s)?" % (NAME, NAME),
             bygroups(Punctuation, Whitespace, Keyword.Namespace, Whitespace, Punctuation, Name.Namespace, Name.Class)),
            (START + r"(state)(?=\s*\{)", bygroups(Punctuation, Whitespace, Keyword.Declaration)),
            (START + r"(print)\b(?!\s*(?:=(?!=)|~|\.))", bygroups(Punctuation, Whitespace, Keyword)),
            (START + rf"({NAME})(?=\s*(?:\{{|\([^\n]*\)\s*(?:->|=(?!=)|\{{|over\b)))", bygroups(Punctuation, Whitespace, Name.Function)),
            (START + rf"({NAME})(?=\s*(?:\[[^\n]*\]\s*)?(?:=(?!=)|~))", bygroups(Punctuation, Whitespace, Name.Variable)),
            (r"(?<=[\w)\]}\"'])([ \t]+)" + _alternatives(TRAILING) + r'(?=[ \t]*["(]|[ \t]+[\w-])', bygroups(Whitespace, Keyword)),
            (words(RESERVED, prefix=BEHIND, suffix=AHEAD), Keyword),
            (words(LOGICAL, prefix=BEHIND, suffix=AHEAD), Operator.Word),
            (words(CONSTANTS, prefix=BEHIND, suffix=AHEAD), Keyword.Constant),
            (words(TYPES, prefix=BEHIND, suffix=AHEAD), Keyword.Type),
            (words(FUNCTIONS, prefix=BEHIND, suffix=r"(?=\s*\()"), Name.Builtin),
            (rf"{NAME}(?=\s*\()", Name.Function),
            (r"[0-9][0-9_]*(\.[0-9][0-9_]*([eE][+-]?[0-9][0-9_]*)?|[eE][+-]?[0-9][0-9_]*)", Number.Float),
            (r"[0-9][0-9_]*", Number.Integer),
            (NAME, Name),
            (r'"', String, "string"),
            (r"\.\.=?|->|==|!=|<=|>=|//|[-+*/%@^=~<>]", Operator),
            (r"[\[\](){},;:.]", Punctuation),
            (r"\s+", Whitespace),
            (r".", Text),
        ],
        "comment": [
            (r"[^*]+", Comment.Multiline),
            (r"\*/", Comment.Multiline, "#pop"),
            (r"\*", Comment.Multiline),
        ],
        "string": [
            (r"\\(u\{[0-9a-fA-F]+\}|.)", String.Escape),
            (r'[^"\\\n]+', String),
            (r'"|\n', String, "#pop"),
        ],
    }

    def analyse_text(text):
        """Not Ragel, whose files end with .rl too."""
        return 0.0 if "%%" in text else 0.2
