"""The catalogue's tables: entities, details, names, external ids, roles and relations, the edge projection.

`entities` holds what all entities share; a detail table per type holds the rest under the same id. Role and relation
tables are the truth; `edges` is a projection of them, written in the same transaction and rebuildable.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.schema import SchemaItem

from datastore.postgres.metadata import METADATA, big_identity, json_object, now_column, one_of, text_array
from datastore.vocabulary import (
    AppearanceRole,
    CharacterRelationKind,
    EntityType,
    NameKind,
    Season,
    StaffRole,
    WorkFormat,
    WorkSource,
    WorkStatus,
)

entities = sa.Table(
    "entities",
    METADATA,
    sa.Column("id", pg.UUID(as_uuid=True), primary_key=True),
    # The small key that `edges` is built on; never leaves the database layer.
    sa.Column("node", sa.Integer, sa.Identity(always=True), nullable=False, unique=True),
    sa.Column("entity_type", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("popularity_count", sa.Integer, nullable=True),
    # The import that gave the count; counts of two sources can't be compared.
    sa.Column("popularity_source", sa.Text, nullable=True),
    # Percentile of the count within its type and source, 0 to 1; 0 where no source gave a count.
    sa.Column("popularity", sa.Float, nullable=False, server_default=sa.text("0")),
    sa.Column("content_hash", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False, server_default=sa.text("1")),
    now_column("updated_at"),
    json_object("extra"),
    one_of("entity_type", EntityType),
)
sa.Index("ix_entities_entity_type_popularity", entities.c.entity_type, entities.c.popularity.desc(), entities.c.id)


def _entity_key() -> sa.Column[object]:
    return sa.Column("id", pg.UUID(as_uuid=True), sa.ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True)


def _entity_fk(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, pg.UUID(as_uuid=True), sa.ForeignKey("entities.id", ondelete="CASCADE"), nullable=nullable)


def _date_columns(prefix: str) -> list[sa.Column[object]]:
    """Year, month and day as far as they are known, and the text the source gave."""
    return [
        sa.Column(f"{prefix}_year", sa.SmallInteger),
        sa.Column(f"{prefix}_month", sa.SmallInteger),
        sa.Column(f"{prefix}_day", sa.SmallInteger),
        sa.Column(f"{prefix}_raw", sa.Text),
    ]


def _work_columns() -> list[SchemaItem]:
    return [
        sa.Column("format", sa.Text),
        sa.Column("status", sa.Text),
        *_date_columns("start"),
        *_date_columns("end"),
        sa.Column("score", sa.Float),
        sa.Column("score_source", sa.Text),
        text_array("genres"),
        text_array("tags"),
        sa.Column("synopsis", sa.Text),
        sa.Column("country", sa.Text),
        one_of("format", WorkFormat),
        one_of("status", WorkStatus),
    ]


anime = sa.Table(
    "anime",
    METADATA,
    _entity_key(),
    *_work_columns(),
    sa.Column("episodes", sa.Integer),
    sa.Column("duration_minutes", sa.Integer),
    sa.Column("season", sa.Text),
    sa.Column("season_year", sa.SmallInteger),
    sa.Column("year", sa.SmallInteger, sa.Computed("coalesce(season_year, start_year)", persisted=True)),
    sa.Column("source", sa.Text),
    one_of("season", Season),
    one_of("source", WorkSource),
    sa.Index("ix_anime_year", "year"),
)

manga = sa.Table(
    "manga",
    METADATA,
    _entity_key(),
    *_work_columns(),
    sa.Column("chapters", sa.Integer),
    sa.Column("volumes", sa.Integer),
    sa.Column("year", sa.SmallInteger, sa.Computed("start_year", persisted=True)),
    sa.Index("ix_manga_year", "year"),
)

characters = sa.Table(
    "characters",
    METADATA,
    _entity_key(),
    sa.Column("description", sa.Text),
    sa.Column("gender", sa.Text),
)

people = sa.Table(
    "people",
    METADATA,
    _entity_key(),
    text_array("occupations"),
    sa.Column("description", sa.Text),
)

studios = sa.Table("studios", METADATA, _entity_key(), sa.Column("is_animation_studio", sa.Boolean))

episodes = sa.Table(
    "episodes",
    METADATA,
    _entity_key(),
    _entity_fk("anime_id"),
    sa.Column("number", sa.Integer, nullable=False),
    *_date_columns("air"),
    sa.Column("synopsis", sa.Text),
    sa.UniqueConstraint("anime_id", "number"),
)

names = sa.Table(
    "names",
    METADATA,
    big_identity(),
    _entity_fk("entity_id"),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("language", sa.Text),
    # For search only; see datastore.folding. Compared bytewise, so that a prefix is an index range.
    sa.Column("folded", sa.Text(collation="C"), nullable=False),
    one_of("kind", NameKind),
    # md5: a name may be longer than a B-tree entry.
    sa.Index("uq_names_entity_id_kind_name", "entity_id", "kind", sa.text("md5(name)"), unique=True),
    sa.Index("ix_names_folded", "folded"),
)

name_starts = sa.Table(
    "name_starts",
    METADATA,
    # What a person may begin to type for a name, see datastore.name_keys.
    sa.Column("name_id", sa.BigInteger, sa.ForeignKey("names.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.SmallInteger, primary_key=True),
    sa.Column("shelf", sa.SmallInteger, nullable=False),
    sa.Column("start", sa.Text(collation="C"), nullable=False),
    # The entity's; never changes, so that a range of the index names entities without a look at other tables.
    sa.Column("node", sa.Integer, nullable=False),
    # Of an entity's names, the one with the lowest is shown; tells parts of names from whole ones, see top_lists.
    sa.Column("preference", sa.SmallInteger, nullable=False),
    sa.Index("ix_name_starts_shelf_start", "shelf", "start", postgresql_include=["node", "name_id", "preference"]),
)

name_tops = sa.Table(
    "name_tops",
    METADATA,
    # The first entities of a prefix that begins names of more than datastore.top_lists.LISTED of them, in the
    # order of search; with an entity type those of the type, with an empty one all.
    sa.Column("shelf", sa.SmallInteger, primary_key=True),
    sa.Column("prefix", sa.Text(collation="C"), primary_key=True),
    sa.Column("entity_type", sa.Text, primary_key=True),
    # Three columns of one list: entity, the name that is shown, its preference.
    sa.Column("nodes", pg.ARRAY(sa.Integer), nullable=False),
    sa.Column("name_ids", pg.ARRAY(sa.BigInteger), nullable=False),
    sa.Column("preferences", pg.ARRAY(sa.SmallInteger), nullable=False),
)

name_pages = sa.Table(
    "name_pages",
    METADATA,
    # What search shows of a prefix, ready to be sent: of one with a list in name_tops the first hits, of the shortest
    # one without a list all. Any text has at most one row that can answer it: the last whose prefix isn't behind it.
    sa.Column("shelf", sa.SmallInteger, primary_key=True),
    sa.Column("prefix", sa.Text(collation="C"), primary_key=True),
    # Lines of one key and its hit, see datastore.first_page. A text: the driver is slow at lists.
    sa.Column("entries", sa.Text, nullable=False),
)

start_gaps = sa.Table(
    "start_gaps",
    METADATA,
    # The first letters of a start with a gap for one of them: a typo meets them there. Kept per distinct block; one
    # that no name has any more is harmless.
    sa.Column("gapped", sa.Text(collation="C"), primary_key=True),
    sa.Column("block", sa.Text(collation="C"), primary_key=True),
)

external_ids = sa.Table(
    "external_ids",
    METADATA,
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("external_id", sa.Text, primary_key=True),
    _entity_fk("entity_id"),
    sa.Index("ix_external_ids_entity_id", "entity_id"),
)

source_records = sa.Table(
    "source_records",
    METADATA,
    big_identity(),
    _entity_fk("entity_id"),
    sa.Column("source", sa.Text, nullable=False),
    # All that this source says about the entity, as one interchange record; the entity's rows are merged from these.
    sa.Column("record", pg.JSONB, nullable=False),
    sa.Column("record_hash", sa.Text, nullable=False),
    now_column("updated_at"),
    sa.UniqueConstraint("entity_id", "source"),
)

value_conflicts = sa.Table(
    "value_conflicts",
    METADATA,
    _entity_fk("entity_id"),
    # A field of the interchange record; `sequel` for a work whose sequels lead back to it.
    sa.Column("field", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("value", sa.Text, nullable=False),
    # The one that the catalogue shows; the others contradict it.
    sa.Column("is_shown", sa.Boolean, nullable=False),
    sa.PrimaryKeyConstraint("entity_id", "field", "source"),
)

redirects = sa.Table(
    "redirects",
    METADATA,
    sa.Column("from_id", pg.UUID(as_uuid=True), primary_key=True),
    _entity_fk("to_id"),
    sa.Column("reason", sa.Text, nullable=False),
    now_column("created_at"),
)


def _link_columns() -> list[sa.Column[object]]:
    """The columns that every role and relation table ends with; `source` is the import that said so."""
    return [
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False, server_default=sa.text("1")),
        now_column("updated_at"),
    ]


work_relations = sa.Table(
    "work_relations",
    METADATA,
    big_identity(),
    _entity_fk("work_id"),
    _entity_fk("related_work_id"),
    # An EdgeType: related_work is the named thing to work.
    sa.Column("relation", sa.Text, nullable=False),
    sa.Column("raw_type", sa.Text),
    *_link_columns(),
    sa.UniqueConstraint("work_id", "related_work_id", "relation"),
    sa.CheckConstraint("work_id <> related_work_id", name="no_loop"),
    sa.Index("ix_work_relations_related_work_id", "related_work_id"),
)

appearances = sa.Table(
    "appearances",
    METADATA,
    big_identity(),
    _entity_fk("character_id"),
    _entity_fk("work_id"),
    sa.Column("role", sa.Text),
    *_link_columns(),
    sa.UniqueConstraint("character_id", "work_id"),
    one_of("role", AppearanceRole),
    sa.Index("ix_appearances_work_id", "work_id"),
)

character_relations = sa.Table(
    "character_relations",
    METADATA,
    big_identity(),
    _entity_fk("character_id"),
    _entity_fk("related_character_id"),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("note", sa.Text),
    *_link_columns(),
    sa.UniqueConstraint("character_id", "related_character_id", "kind"),
    sa.CheckConstraint("character_id <> related_character_id", name="no_loop"),
    one_of("kind", CharacterRelationKind),
    sa.Index("ix_character_relations_related_character_id", "related_character_id"),
)

voices = sa.Table(
    "voices",
    METADATA,
    big_identity(),
    _entity_fk("person_id"),
    _entity_fk("character_id"),
    _entity_fk("work_id", nullable=True),
    sa.Column("language", sa.Text, nullable=False),
    *_link_columns(),
    sa.UniqueConstraint("person_id", "character_id", "work_id", "language", postgresql_nulls_not_distinct=True),
    sa.Index("ix_voices_character_id", "character_id"),
    sa.Index("ix_voices_work_id", "work_id"),
)

staff_credits = sa.Table(
    "staff_credits",
    METADATA,
    big_identity(),
    _entity_fk("person_id"),
    _entity_fk("work_id"),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("raw_role", sa.Text, nullable=False, server_default=sa.text("''")),
    *_link_columns(),
    sa.UniqueConstraint("person_id", "work_id", "role", "raw_role"),
    one_of("role", StaffRole),
    sa.Index("ix_staff_credits_work_id", "work_id"),
)

studio_credits = sa.Table(
    "studio_credits",
    METADATA,
    big_identity(),
    _entity_fk("studio_id"),
    _entity_fk("work_id"),
    sa.Column("is_main", sa.Boolean, nullable=False),
    *_link_columns(),
    sa.UniqueConstraint("studio_id", "work_id"),
    sa.Index("ix_studio_credits_work_id", "work_id"),
)

pending_links = sa.Table(
    "pending_links",
    METADATA,
    big_identity(),
    # The external reference this link waits for; the link itself is one interchange record.
    sa.Column("missing_ref", sa.Text, nullable=False),
    sa.Column("record", pg.JSONB, nullable=False),
    sa.Column("record_hash", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    now_column("created_at"),
    sa.UniqueConstraint("missing_ref", "record_hash"),
)

edges = sa.Table(
    "edges",
    METADATA,
    sa.Column("src", sa.Integer, sa.ForeignKey("entities.node", ondelete="CASCADE"), nullable=False),
    # A code of datastore.edges.
    sa.Column("rel", sa.SmallInteger, nullable=False),
    sa.Column("dst", sa.Integer, sa.ForeignKey("entities.node", ondelete="CASCADE"), nullable=False),
    # The truth row behind the edge: a code of datastore.postgres.projection and that table's id.
    sa.Column("origin", sa.SmallInteger, nullable=False),
    sa.Column("origin_id", sa.BigInteger, nullable=False),
    # Role, relation kind or language: what a sentence about the edge needs.
    sa.Column("qualifier", sa.Text, nullable=False, server_default=sa.text("''")),
    # The other end's popularity, so that the top of a hub is an index prefix.
    sa.Column("dst_popularity", sa.Float, nullable=False, server_default=sa.text("0")),
    sa.PrimaryKeyConstraint("src", "rel", "dst", "origin", "origin_id"),
    sa.Index("ix_edges_origin_origin_id", "origin", "origin_id"),
)
# Who leads to a node, which are its neighbours too, in the fewest pages. The far end's column is an expression so that
# a search for pairs out of two lists is planned by this index: a plain column would be looked up by those that begin
# with it, one list of them whole.
sa.Index(
    "ix_edges_ends",
    edges.c.dst,
    edges.c.src + sa.literal_column("0", sa.Integer),
    postgresql_include=["src", "rel"],
)
sa.Index(
    "ix_edges_cover",
    edges.c.src,
    edges.c.rel,
    edges.c.dst_popularity.desc(),
    edges.c.dst,
    postgresql_include=["origin", "origin_id", "qualifier"],
)
# What a node passes on, whatever the type of the edge: the most popular far ends are an index prefix here too.
sa.Index(
    "ix_edges_src_dst_popularity",
    edges.c.src,
    edges.c.dst_popularity.desc(),
    edges.c.dst,
    postgresql_include=["rel", "origin", "origin_id", "qualifier"],
)
