"""Create the catalogue, its search tables, the outbox, sessions, traces, research runs, and the reader role."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "3edf13766370"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table, then the role that only reads them."""
    op.create_table(
        "entities",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("node", sa.Integer(), sa.Identity(always=True), nullable=False),
        sa.Column("entity_type", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("popularity_count", sa.Integer(), nullable=True),
        sa.Column("popularity_source", sa.Text(), nullable=True),
        sa.Column("popularity", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("extra", postgresql.JSONB(), server_default=sa.text("'{}'::jsonb"), nullable=False),
        sa.CheckConstraint(
            "entity_type IN ('anime', 'manga', 'character', 'episode', 'person', 'studio', 'document')",
            name=op.f("ck_entities_entity_type_known"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entities")),
        sa.UniqueConstraint("node", name=op.f("uq_entities_node")),
    )
    op.create_index(
        "ix_entities_entity_type_popularity",
        "entities",
        ["entity_type", sa.literal_column("popularity DESC"), "id"],
        unique=False,
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("entity_id", sa.UUID(), nullable=False),
        sa.Column("entity_type", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default=sa.text("'pending'"), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("claimed_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("done_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.CheckConstraint("operation IN ('upsert', 'delete')", name=op.f("ck_outbox_operation_known")),
        sa.CheckConstraint("state IN ('pending', 'claimed', 'done', 'dead')", name=op.f("ck_outbox_state_known")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_index(
        "ix_outbox_open",
        "outbox",
        ["state", "id"],
        unique=False,
        postgresql_where=sa.text("state IN ('pending', 'claimed')"),
    )
    op.create_table(
        "pending_links",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("missing_ref", sa.Text(), nullable=False),
        sa.Column("record", postgresql.JSONB(), nullable=False),
        sa.Column("record_hash", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pending_links")),
        sa.UniqueConstraint("missing_ref", "record_hash", name=op.f("uq_pending_links_missing_ref_record_hash")),
    )
    op.create_table(
        "research_runs",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_research_runs")),
    )
    op.create_index("ix_research_runs_principal_created_at", "research_runs", ["principal", "created_at"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"], unique=False)
    op.create_index("ix_sessions_principal_updated_at", "sessions", ["principal", "updated_at"], unique=False)
    op.create_table(
        "traces",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("request", postgresql.JSONB(), nullable=False),
        sa.Column("response", postgresql.JSONB(), nullable=False),
        sa.Column("steps", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_traces")),
    )
    op.create_index("ix_traces_expires_at", "traces", ["expires_at"], unique=False)
    op.create_index("ix_traces_principal_created_at", "traces", ["principal", "created_at"], unique=False)
    op.create_table(
        "word_deletions",
        sa.Column("deletion", sa.Text(collation="C"), nullable=False),
        sa.Column("word", sa.Text(collation="C"), nullable=False),
        sa.PrimaryKeyConstraint("deletion", "word", name=op.f("pk_word_deletions")),
    )
    op.create_table(
        "anime",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("format", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("start_year", sa.SmallInteger(), nullable=True),
        sa.Column("start_month", sa.SmallInteger(), nullable=True),
        sa.Column("start_day", sa.SmallInteger(), nullable=True),
        sa.Column("start_raw", sa.Text(), nullable=True),
        sa.Column("end_year", sa.SmallInteger(), nullable=True),
        sa.Column("end_month", sa.SmallInteger(), nullable=True),
        sa.Column("end_day", sa.SmallInteger(), nullable=True),
        sa.Column("end_raw", sa.Text(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("score_source", sa.Text(), nullable=True),
        sa.Column("genres", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
        sa.Column("tags", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
        sa.Column("synopsis", sa.Text(), nullable=True),
        sa.Column("country", sa.Text(), nullable=True),
        sa.Column("episodes", sa.Integer(), nullable=True),
        sa.Column("duration_minutes", sa.Integer(), nullable=True),
        sa.Column("season", sa.Text(), nullable=True),
        sa.Column("season_year", sa.SmallInteger(), nullable=True),
        sa.Column(
            "year", sa.SmallInteger(), sa.Computed("coalesce(season_year, start_year)", persisted=True), nullable=True
        ),
        sa.Column("source", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "format IN ('tv', 'tv_short', 'movie', 'ova', 'ona', 'special', 'music', 'manga', 'light_novel', 'novel', 'one_shot')",
            name=op.f("ck_anime_format_known"),
        ),
        sa.CheckConstraint("season IN ('winter', 'spring', 'summer', 'fall')", name=op.f("ck_anime_season_known")),
        sa.CheckConstraint(
            "source IN ('original', 'manga', 'light_novel', 'novel', 'visual_novel', 'video_game', 'web_novel', 'comic', 'doujinshi', 'anime', 'live_action', 'game', 'multimedia_project', 'picture_book', 'other')",
            name=op.f("ck_anime_source_known"),
        ),
        sa.CheckConstraint(
            "status IN ('finished', 'releasing', 'not_yet_released', 'cancelled', 'hiatus')",
            name=op.f("ck_anime_status_known"),
        ),
        sa.ForeignKeyConstraint(["id"], ["entities.id"], name=op.f("fk_anime_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_anime")),
    )
    op.create_index("ix_anime_year", "anime", ["year"], unique=False)
    op.create_table(
        "appearances",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("character_id", sa.UUID(), nullable=False),
        sa.Column("work_id", sa.UUID(), nullable=False),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("role IN ('main', 'supporting', 'background')", name=op.f("ck_appearances_role_known")),
        sa.ForeignKeyConstraint(
            ["character_id"], ["entities.id"], name=op.f("fk_appearances_character_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["work_id"], ["entities.id"], name=op.f("fk_appearances_work_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appearances")),
        sa.UniqueConstraint("character_id", "work_id", name=op.f("uq_appearances_character_id_work_id")),
    )
    op.create_index("ix_appearances_work_id", "appearances", ["work_id"], unique=False)
    op.create_table(
        "character_relations",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("character_id", sa.UUID(), nullable=False),
        sa.Column("related_character_id", sa.UUID(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "kind IN ('family', 'parent', 'child', 'sibling', 'spouse', 'lover', 'friend', 'rival', 'enemy', 'mentor', 'student', 'teammate', 'colleague', 'captain', 'subordinate', 'master', 'servant', 'creator', 'creation', 'same_person', 'other')",
            name=op.f("ck_character_relations_kind_known"),
        ),
        sa.CheckConstraint("character_id <> related_character_id", name=op.f("ck_character_relations_no_loop")),
        sa.ForeignKeyConstraint(
            ["character_id"], ["entities.id"], name=op.f("fk_character_relations_character_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["related_character_id"],
            ["entities.id"],
            name=op.f("fk_character_relations_related_character_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_character_relations")),
        sa.UniqueConstraint(
            "character_id",
            "related_character_id",
            "kind",
            name=op.f("uq_character_relations_character_id_related_character_id_kind"),
        ),
    )
    op.create_index(
        "ix_character_relations_related_character_id", "character_relations", ["related_character_id"], unique=False
    )
    op.create_table(
        "characters",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("gender", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["id"], ["entities.id"], name=op.f("fk_characters_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_characters")),
    )
    op.create_table(
        "checkpoints",
        sa.Column("run_id", sa.UUID(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["research_runs.id"], name=op.f("fk_checkpoints_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_checkpoints")),
    )
    op.create_table(
        "documents",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("source_uri", sa.Text(), nullable=True),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("document_date", sa.Date(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("text_hash", sa.Text(), nullable=False),
        sa.Column("properties", postgresql.JSONB(), server_default=sa.text("'{}'::jsonb"), nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["id"], ["entities.id"], name=op.f("fk_documents_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
    )
    op.create_index("ix_documents_collection", "documents", ["collection"], unique=False)
    op.create_table(
        "edges",
        sa.Column("src", sa.Integer(), nullable=False),
        sa.Column("rel", sa.SmallInteger(), nullable=False),
        sa.Column("dst", sa.Integer(), nullable=False),
        sa.Column("origin", sa.SmallInteger(), nullable=False),
        sa.Column("origin_id", sa.BigInteger(), nullable=False),
        sa.Column("qualifier", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("dst_popularity", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["dst"], ["entities.node"], name=op.f("fk_edges_dst"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["src"], ["entities.node"], name=op.f("fk_edges_src"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("src", "rel", "dst", "origin", "origin_id", name=op.f("pk_edges")),
    )
    op.create_index(
        "ix_edges_cover",
        "edges",
        ["src", "rel", sa.literal_column("dst_popularity DESC"), "dst"],
        unique=False,
        postgresql_include=["origin", "origin_id", "qualifier"],
    )
    op.create_index("ix_edges_dst", "edges", ["dst"], unique=False)
    op.create_index("ix_edges_origin_origin_id", "edges", ["origin", "origin_id"], unique=False)
    op.create_table(
        "episodes",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("anime_id", sa.UUID(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("air_year", sa.SmallInteger(), nullable=True),
        sa.Column("air_month", sa.SmallInteger(), nullable=True),
        sa.Column("air_day", sa.SmallInteger(), nullable=True),
        sa.Column("air_raw", sa.Text(), nullable=True),
        sa.Column("synopsis", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["anime_id"], ["entities.id"], name=op.f("fk_episodes_anime_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["id"], ["entities.id"], name=op.f("fk_episodes_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_episodes")),
        sa.UniqueConstraint("anime_id", "number", name=op.f("uq_episodes_anime_id_number")),
    )
    op.create_table(
        "external_ids",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("entity_id", sa.UUID(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["entities.id"], name=op.f("fk_external_ids_entity_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("source", "kind", "external_id", name=op.f("pk_external_ids")),
    )
    op.create_index("ix_external_ids_entity_id", "external_ids", ["entity_id"], unique=False)
    op.create_table(
        "manga",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("format", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("start_year", sa.SmallInteger(), nullable=True),
        sa.Column("start_month", sa.SmallInteger(), nullable=True),
        sa.Column("start_day", sa.SmallInteger(), nullable=True),
        sa.Column("start_raw", sa.Text(), nullable=True),
        sa.Column("end_year", sa.SmallInteger(), nullable=True),
        sa.Column("end_month", sa.SmallInteger(), nullable=True),
        sa.Column("end_day", sa.SmallInteger(), nullable=True),
        sa.Column("end_raw", sa.Text(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("score_source", sa.Text(), nullable=True),
        sa.Column("genres", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
        sa.Column("tags", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
        sa.Column("synopsis", sa.Text(), nullable=True),
        sa.Column("country", sa.Text(), nullable=True),
        sa.Column("chapters", sa.Integer(), nullable=True),
        sa.Column("volumes", sa.Integer(), nullable=True),
        sa.Column("year", sa.SmallInteger(), sa.Computed("start_year", persisted=True), nullable=True),
        sa.CheckConstraint(
            "format IN ('tv', 'tv_short', 'movie', 'ova', 'ona', 'special', 'music', 'manga', 'light_novel', 'novel', 'one_shot')",
            name=op.f("ck_manga_format_known"),
        ),
        sa.CheckConstraint(
            "status IN ('finished', 'releasing', 'not_yet_released', 'cancelled', 'hiatus')",
            name=op.f("ck_manga_status_known"),
        ),
        sa.ForeignKeyConstraint(["id"], ["entities.id"], name=op.f("fk_manga_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_manga")),
    )
    op.create_index("ix_manga_year", "manga", ["year"], unique=False)
    op.create_table(
        "names",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("entity_id", sa.UUID(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("folded", sa.Text(collation="C"), nullable=False),
        sa.CheckConstraint(
            "kind IN ('main', 'romaji', 'english', 'native', 'alias', 'abbreviation')", name=op.f("ck_names_kind_known")
        ),
        sa.ForeignKeyConstraint(["entity_id"], ["entities.id"], name=op.f("fk_names_entity_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_names")),
    )
    op.create_index("ix_names_folded", "names", ["folded"], unique=False)
    op.create_index(
        "uq_names_entity_id_kind_name", "names", ["entity_id", "kind", sa.literal_column("md5(name)")], unique=True
    )
    op.create_table(
        "people",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("occupations", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'::text[]"), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["id"], ["entities.id"], name=op.f("fk_people_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
    )
    op.create_table(
        "redirects",
        sa.Column("from_id", sa.UUID(), nullable=False),
        sa.Column("to_id", sa.UUID(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["to_id"], ["entities.id"], name=op.f("fk_redirects_to_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("from_id", name=op.f("pk_redirects")),
    )
    op.create_table(
        "source_records",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("entity_id", sa.UUID(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("record", postgresql.JSONB(), nullable=False),
        sa.Column("record_hash", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["entities.id"], name=op.f("fk_source_records_entity_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_source_records")),
        sa.UniqueConstraint("entity_id", "source", name=op.f("uq_source_records_entity_id_source")),
    )
    op.create_table(
        "staff_credits",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("person_id", sa.UUID(), nullable=False),
        sa.Column("work_id", sa.UUID(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("raw_role", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "role IN ('director', 'author', 'illustrator', 'writer', 'series_composer', 'composer', 'character_designer', 'mechanical_designer', 'art_director', 'animation_director', 'sound_director', 'assistant_director', 'episode_director', 'storyboard', 'key_animation', 'producer', 'theme_song', 'other')",
            name=op.f("ck_staff_credits_role_known"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["entities.id"], name=op.f("fk_staff_credits_person_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["work_id"], ["entities.id"], name=op.f("fk_staff_credits_work_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff_credits")),
        sa.UniqueConstraint(
            "person_id", "work_id", "role", "raw_role", name=op.f("uq_staff_credits_person_id_work_id_role_raw_role")
        ),
    )
    op.create_index("ix_staff_credits_work_id", "staff_credits", ["work_id"], unique=False)
    op.create_table(
        "studio_credits",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("studio_id", sa.UUID(), nullable=False),
        sa.Column("work_id", sa.UUID(), nullable=False),
        sa.Column("is_main", sa.Boolean(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["studio_id"], ["entities.id"], name=op.f("fk_studio_credits_studio_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["work_id"], ["entities.id"], name=op.f("fk_studio_credits_work_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_studio_credits")),
        sa.UniqueConstraint("studio_id", "work_id", name=op.f("uq_studio_credits_studio_id_work_id")),
    )
    op.create_index("ix_studio_credits_work_id", "studio_credits", ["work_id"], unique=False)
    op.create_table(
        "studios",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("is_animation_studio", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(["id"], ["entities.id"], name=op.f("fk_studios_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_studios")),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("session_id", sa.UUID(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("response", postgresql.JSONB(), nullable=False),
        sa.Column("trace_id", sa.UUID(), nullable=True),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_turns_session_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint("session_id", "position", name=op.f("uq_turns_session_id_position")),
    )
    op.create_table(
        "voices",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("person_id", sa.UUID(), nullable=False),
        sa.Column("character_id", sa.UUID(), nullable=False),
        sa.Column("work_id", sa.UUID(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["character_id"], ["entities.id"], name=op.f("fk_voices_character_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["entities.id"], name=op.f("fk_voices_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["work_id"], ["entities.id"], name=op.f("fk_voices_work_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_voices")),
        sa.UniqueConstraint(
            "person_id",
            "character_id",
            "work_id",
            "language",
            name=op.f("uq_voices_person_id_character_id_work_id_language"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_index("ix_voices_character_id", "voices", ["character_id"], unique=False)
    op.create_index("ix_voices_work_id", "voices", ["work_id"], unique=False)
    op.create_table(
        "work_relations",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("work_id", sa.UUID(), nullable=False),
        sa.Column("related_work_id", sa.UUID(), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("raw_type", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("updated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("work_id <> related_work_id", name=op.f("ck_work_relations_no_loop")),
        sa.ForeignKeyConstraint(
            ["related_work_id"], ["entities.id"], name=op.f("fk_work_relations_related_work_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["work_id"], ["entities.id"], name=op.f("fk_work_relations_work_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_work_relations")),
        sa.UniqueConstraint(
            "work_id", "related_work_id", "relation", name=op.f("uq_work_relations_work_id_related_work_id_relation")
        ),
    )
    op.create_index("ix_work_relations_related_work_id", "work_relations", ["related_work_id"], unique=False)
    op.create_table(
        "chunks",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("document_id", sa.UUID(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("text_hash", sa.Text(), nullable=False),
        sa.CheckConstraint("start_offset < end_offset", name=op.f("ck_chunks_offsets_ordered")),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_chunks_document_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chunks")),
        sa.UniqueConstraint("document_id", "position", name=op.f("uq_chunks_document_id_position")),
    )
    op.create_table(
        "name_tokens",
        sa.Column("word", sa.Text(collation="C"), nullable=False),
        sa.Column("name_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["name_id"], ["names.id"], name=op.f("fk_name_tokens_name_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("word", "name_id", name=op.f("pk_name_tokens")),
    )
    op.create_index("ix_name_tokens_name_id", "name_tokens", ["name_id"], unique=False)
    op.create_table(
        "name_words",
        sa.Column("name_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("suffix", sa.Text(collation="C"), nullable=False),
        sa.Column("is_whole", sa.Boolean(), nullable=False),
        sa.Column(
            "squeezed", sa.Text(collation="C"), sa.Computed("replace(suffix, ' ', '')", persisted=True), nullable=False
        ),
        sa.ForeignKeyConstraint(["name_id"], ["names.id"], name=op.f("fk_name_words_name_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("name_id", "position", name=op.f("pk_name_words")),
    )
    op.create_index("ix_name_words_squeezed", "name_words", ["squeezed"], unique=False, postgresql_include=["is_whole"])
    op.create_table(
        "document_references",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("chunk_id", sa.UUID(), nullable=False),
        sa.Column("reference_type", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("target_text", sa.Text(), nullable=False),
        sa.Column("target_id", sa.UUID(), nullable=True),
        sa.ForeignKeyConstraint(
            ["chunk_id"], ["chunks.id"], name=op.f("fk_document_references_chunk_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["target_id"], ["entities.id"], name=op.f("fk_document_references_target_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_references")),
        sa.UniqueConstraint(
            "chunk_id",
            "reference_type",
            "target_text",
            name=op.f("uq_document_references_chunk_id_reference_type_target_text"),
        ),
    )
    op.create_index("ix_document_references_target_id", "document_references", ["target_id"], unique=False)
    _create_reader()


def downgrade() -> None:
    """Drop all of it."""
    _revoke_reader()
    op.drop_index("ix_document_references_target_id", table_name="document_references")
    op.drop_table("document_references")
    op.drop_index("ix_name_words_squeezed", table_name="name_words", postgresql_include=["is_whole"])
    op.drop_table("name_words")
    op.drop_index("ix_name_tokens_name_id", table_name="name_tokens")
    op.drop_table("name_tokens")
    op.drop_table("chunks")
    op.drop_index("ix_work_relations_related_work_id", table_name="work_relations")
    op.drop_table("work_relations")
    op.drop_index("ix_voices_work_id", table_name="voices")
    op.drop_index("ix_voices_character_id", table_name="voices")
    op.drop_table("voices")
    op.drop_table("turns")
    op.drop_table("studios")
    op.drop_index("ix_studio_credits_work_id", table_name="studio_credits")
    op.drop_table("studio_credits")
    op.drop_index("ix_staff_credits_work_id", table_name="staff_credits")
    op.drop_table("staff_credits")
    op.drop_table("source_records")
    op.drop_table("redirects")
    op.drop_table("people")
    op.drop_index("uq_names_entity_id_kind_name", table_name="names")
    op.drop_index("ix_names_folded", table_name="names")
    op.drop_table("names")
    op.drop_index("ix_manga_year", table_name="manga")
    op.drop_table("manga")
    op.drop_index("ix_external_ids_entity_id", table_name="external_ids")
    op.drop_table("external_ids")
    op.drop_table("episodes")
    op.drop_index("ix_edges_origin_origin_id", table_name="edges")
    op.drop_index("ix_edges_dst", table_name="edges")
    op.drop_index("ix_edges_cover", table_name="edges", postgresql_include=["origin", "origin_id", "qualifier"])
    op.drop_table("edges")
    op.drop_index("ix_documents_collection", table_name="documents")
    op.drop_table("documents")
    op.drop_table("checkpoints")
    op.drop_table("characters")
    op.drop_index("ix_character_relations_related_character_id", table_name="character_relations")
    op.drop_table("character_relations")
    op.drop_index("ix_appearances_work_id", table_name="appearances")
    op.drop_table("appearances")
    op.drop_index("ix_anime_year", table_name="anime")
    op.drop_table("anime")
    op.drop_table("word_deletions")
    op.drop_index("ix_traces_principal_created_at", table_name="traces")
    op.drop_index("ix_traces_expires_at", table_name="traces")
    op.drop_table("traces")
    op.drop_index("ix_sessions_principal_updated_at", table_name="sessions")
    op.drop_index("ix_sessions_expires_at", table_name="sessions")
    op.drop_table("sessions")
    op.drop_index("ix_research_runs_principal_created_at", table_name="research_runs")
    op.drop_table("research_runs")
    op.drop_table("pending_links")
    op.drop_index("ix_outbox_open", table_name="outbox", postgresql_where=sa.text("state IN ('pending', 'claimed')"))
    op.drop_table("outbox")
    op.drop_index("ix_entities_entity_type_popularity", table_name="entities")
    op.drop_table("entities")


def _create_reader() -> None:
    """The group role that answers run as: it reads every table, now and later, and can do nothing else.

    A managed database may not let us create roles: then the role is left out with a notice, and whoever runs the
    database can create it and migrate again from the grants' text below.
    """
    op.execute(
        """
        DO $$
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'enishi_reader') THEN
                CREATE ROLE enishi_reader NOLOGIN;
            END IF;
        EXCEPTION
            WHEN insufficient_privilege THEN
                RAISE NOTICE 'enishi_reader was not created: % may not create roles', current_user;
            WHEN duplicate_object OR unique_violation THEN
                NULL;
        END
        $$
        """
    )
    op.execute(
        """
        DO $$
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'enishi_reader') THEN
                RETURN;
            END IF;
            EXECUTE format('GRANT USAGE ON SCHEMA %I TO enishi_reader', current_schema());
            EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO enishi_reader', current_schema());
            EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT ON TABLES TO enishi_reader',
                           current_schema());
        END
        $$
        """
    )
    op.execute(
        """
        DO $$
        BEGIN
            EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema());
            EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
        EXCEPTION WHEN insufficient_privilege THEN
            RAISE NOTICE 'CREATE and TEMPORARY were not revoked from PUBLIC: % does not own them', current_user;
        END
        $$
        """
    )
    # The owner of the tables answers through the role, so it has to be able to take it on. A superuser always is.
    op.execute(
        """
        DO $$
        BEGIN
            IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'enishi_reader')
               AND NOT pg_has_role(current_user, 'enishi_reader', 'SET') THEN
                EXECUTE format('GRANT enishi_reader TO %I WITH INHERIT FALSE, SET TRUE', current_user);
            END IF;
        EXCEPTION WHEN insufficient_privilege THEN
            RAISE NOTICE '% can not act as enishi_reader', current_user;
        END
        $$
        """
    )


def _revoke_reader() -> None:
    """The role itself stays: other databases of the same server may use it."""
    op.execute(
        """
        DO $$
        BEGIN
            IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'enishi_reader') THEN
                EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I REVOKE SELECT ON TABLES FROM enishi_reader',
                               current_schema());
                EXECUTE format('REVOKE USAGE ON SCHEMA %I FROM enishi_reader', current_schema());
            END IF;
        END
        $$
        """
    )
