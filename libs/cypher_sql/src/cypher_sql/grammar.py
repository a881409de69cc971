"""The grammar, for an LALR parser whose lexer knows which words can come next: a keyword elsewhere is a name.

Keywords are spelled letter by letter, because case folding by Unicode would take `ſ` for `s`.
"""

_KEYWORDS = {
    "ALL": "all",
    "_AND": "and",
    "_AS": "as",
    "ASC": "asc(?:ending)?",
    "_BY": "by",
    "_CASE": "case",
    "CONTAINS": "contains",
    "DESC": "desc(?:ending)?",
    "DISTINCT": "distinct",
    "_ELSE": "else",
    "_END": "end",
    "ENDS": "ends",
    "FALSE": "false",
    "_IN": "in",
    "_IS": "is",
    "_LIMIT": "limit",
    "_MATCH": "match",
    "NOT": "not",
    "NULL": "null",
    "OPTIONAL": "optional",
    "_OR": "or",
    "_ORDER": "order",
    "_RETURN": "return",
    "_SKIP": "skip",
    "STARTS": "starts",
    "_THEN": "then",
    "TRUE": "true",
    "_UNION": "union",
    "_UNWIND": "unwind",
    "_WHEN": "when",
    "_WHERE": "where",
    "_WITH": "with",
    "_XOR": "xor",
}


def _any_case(word: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in word)


def _terminals() -> str:
    words = [rf"{name}.2: /{_any_case(word)}(?!\w)/" for name, word in _KEYWORDS.items()]
    return "\n".join(words)


_RULES = r"""
query: single_query (union single_query)* ";"?
union: _UNION ALL?
single_query: _clause* return_clause
_clause: match_clause | unwind_clause | with_clause
match_clause: OPTIONAL? _MATCH patterns where?
patterns: path ("," path)*
where: _WHERE _expression
unwind_clause: _UNWIND _expression _AS name
with_clause: _WITH projection where?
return_clause: _RETURN projection
projection: DISTINCT? (STAR | item) ("," item)* order_by? skip? limit?
item: _expression (_AS name)?
order_by: _ORDER _BY sort_key ("," sort_key)*
sort_key: _expression (ASC | DESC)?
skip: _SKIP _expression
limit: _LIMIT _expression

path: (path_name)? (chain | shortest)
path_name: name EQUAL
shortest: (ONE_SHORTEST | ALL_SHORTEST) "(" chain ")"
chain: node (relationship node)*
node: "(" name? labels? map? ")"
labels: (":" name)+
relationship: OPEN detail "]" MINUS
    | OPEN detail "]" ARROW
    | OPEN_LEFT detail "]" MINUS
    | OPEN_LEFT detail "]" ARROW
    | BARE
    | BARE_RIGHT
    | BARE_LEFT
    | BARE_BOTH
detail: name? types? length? map?
types: ":" name ("|" ":"? name)*
length: STAR INTEGER? span?
span: RANGE INTEGER?

_expression: _xor | or_chain
or_chain: _xor (_OR _xor)+
_xor: _and | xor_chain
xor_chain: _and (_XOR _and)+
_and: _not | and_chain
and_chain: _not (_AND _not)+
_not: _comparison | negation
negation: NOT _not
_comparison: _predicate | comparison
comparison: _predicate ((COMPARE | EQUAL) _predicate)+
_predicate: _sum | starts | ends | contains | membership | null_test
starts: _predicate STARTS _WITH _sum
ends: _predicate ENDS _WITH _sum
contains: _predicate CONTAINS _sum
membership: _predicate _IN _sum
null_test: _predicate _IS NOT? NULL
_sum: _product | addition
addition: _sum (PLUS | MINUS) _product
_product: _power | multiplication
multiplication: _product (STAR | FACTOR) _power
_power: _unary | power
power: _power "^" _unary
_unary: _postfix | sign
sign: (PLUS | MINUS) _unary
_postfix: _atom | property | index | slice
property: _postfix "." name
index: _postfix "[" _expression "]"
slice: _postfix "[" lower RANGE upper "]"
lower: _expression?
upper: _expression?
_atom: literal | parameter | variable | list | map | case | call | comprehension | has_labels
    | parenthesised | pattern_predicate | exists | counted | quantified
literal: INTEGER | HEXADECIMAL | OCTAL | FLOAT | STRING | TRUE | FALSE | NULL
parameter: PARAMETER
variable: name
has_labels: name labels
parenthesised: "(" _expression ")"
list: "[" (_expression ("," _expression)*)? "]"
comprehension: "[" _expression (comprehension_where comprehension_result? | comprehension_result) "]"
comprehension_where: _WHERE _expression
comprehension_result: "|" _expression
map: "{" (entry ("," entry)*)? "}"
entry: name ":" _expression
case: _CASE subject? branch+ default? _END
subject: _expression
branch: _WHEN _expression _THEN _expression
default: _ELSE _expression
call: name "(" (STAR | DISTINCT? (_expression ("," _expression)*)?) ")"
pattern_predicate: (parenthesised | node_only) (relationship node)+
node_only: "(" ")" | "(" labels map? ")" | "(" map ")" | "(" name map ")" | "(" name labels map ")"
quantified: name "(" _expression comprehension_where ")"
counted: _COUNT_BLOCK "{" _MATCH? patterns where? "}"
exists: _EXISTS_BLOCK "{" _MATCH? patterns where? "}"
name: NAME | QUOTED_NAME

STAR: "*"
FACTOR: /[\/%]/
PLUS: "+"
MINUS: "-"
COMPARE: /<>|<=|>=|<|>/
EQUAL: /=(?!~)/
RANGE.2: ".."
OPEN.3: /-\s*\[/
OPEN_LEFT.3: /<\s*-\s*\[/
ARROW.3: /-\s*>/
BARE.3: /-\s*-(?=\s*\()/
BARE_RIGHT.3: /-\s*-\s*>(?=\s*\()/
BARE_LEFT.3: /<\s*-\s*-(?=\s*\()/
BARE_BOTH.3: /<\s*-\s*-\s*>(?=\s*\()/
ONE_SHORTEST.3: /shortestPath(?=\s*\()/
ALL_SHORTEST.3: /allShortestPaths(?=\s*\()/
_EXISTS_BLOCK.3: /[eE][xX][iI][sS][tT][sS](?=\s*\{)/
_COUNT_BLOCK.3: /[cC][oO][uU][nN][tT](?=\s*\{)/
HEXADECIMAL.2: /0x[0-9a-fA-F]+(?!\w)/
OCTAL.2: /0o[0-7]+(?!\w)/
FLOAT.2: /(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)(?!\w)/
INTEGER.1: /[0-9]+(?!\w)/
STRING: /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/s
PARAMETER: /\$\w+/
NAME: /[^\W\d]\w*/
QUOTED_NAME: /`(?:[^`]|``)+`/
COMMENT: /\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*/
WHITESPACE: /\s+/
%ignore COMMENT
%ignore WHITESPACE
"""

GRAMMAR = f"{_RULES}\n{_terminals()}\n"
