"""The JSON text that PostgreSQL writes is what orjson writes of the same values, to the byte."""

import struct
from random import Random

import orjson
import pytest
import sqlalchemy as sa
from datastore.postgres.engine import ReadOnlyEngine
from datastore.postgres.json_values import Column, Pieces, joined, plain, point_kept
from sqlalchemy.dialects import postgresql as pg

EDGES = [0.0, -0.0, 1.0, 0.1 + 0.2, 85.25, 1e14, 123456789012345.6, 1234567890123456.5, 2.0**53]
POWERS = [sign * digits * 10.0**power for sign in (1, -1) for digits in (1, 9.99, 1 / 3) for power in range(-30, 30)]


async def written(read_only: ReadOnlyEngine, values: list[object], column_type: pg.ARRAY[object]) -> list[str]:
    """The texts of the values, in order."""
    given = sa.bindparam("given", values, type_=column_type)
    rows = sa.func.unnest(given).table_valued("value", with_ordinality="place").render_derived(name="given_rows")
    value: Column = sa.type_coerce(rows.c.value, column_type.item_type)
    pieces: Pieces = point_kept(value) if isinstance(column_type.item_type, sa.Float) else plain(value)
    async with read_only.connect() as conn:
        return list((await conn.execute(sa.select(joined(pieces)).order_by(rows.c.place))).scalars())


async def test_fractions_are_written_with_orjsons_digits(read_only: ReadOnlyEngine) -> None:
    draw = Random(7)
    drawn = [struct.unpack("d", draw.randbytes(8))[0] for _ in range(300)]
    numbers = [*EDGES, *POWERS, *(draw.random() for _ in range(300)), *(n for n in drawn if abs(n) < 1e300)]

    texts = await written(read_only, [*numbers, None], pg.ARRAY(sa.Float()))
    assert texts == [orjson.dumps(number).decode() for number in [*numbers, None]]


async def test_texts_are_escaped_as_orjson_escapes(read_only: ReadOnlyEngine) -> None:
    texts = [chr(code) for code in (*range(1, 0x100), 0x2028, 0x2029, 0xFEFF, 0xFFFF, 0x1F600)]
    texts += ["", '"\\/', "ナルト\u200b 𝒳", "</script>", "a\\u0041"]

    assert await written(read_only, [*texts, None], pg.ARRAY(sa.Text())) == [
        orjson.dumps(text).decode() for text in [*texts, None]
    ]


def test_neighbouring_texts_are_one_piece() -> None:
    statement = str(joined(("{", '"a":', sa.column("x", sa.Text), "}", ",")).compile(dialect=pg.dialect()))

    assert statement == "concat('{\"a\":', x, '},')"


@pytest.mark.parametrize("pieces", [("a", "b"), (sa.literal_column("'ab'", sa.Text),)])
def test_one_text_alone_is_not_joined(pieces: Pieces) -> None:
    assert str(joined(pieces).compile(dialect=pg.dialect())) == "'ab'"
