-- A database as version 0.1 left it: what pg_dump 15 wrote with --inserts, less comments and settings, and with its dates
-- moved well into the past. Every delivery is in a state of its own, which the title of its template names.
CREATE SCHEMA pgboss;
CREATE TYPE pgboss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);
CREATE FUNCTION pgboss.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN
      WITH q as (
        INSERT INTO pgboss.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false),
          pgboss.job_now(),
          pgboss.job_now()
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;
      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;
      EXECUTE format('CREATE TABLE pgboss.%I (LIKE pgboss.job INCLUDING DEFAULTS)', tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i11 ON pgboss.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON pgboss.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i7 ON pgboss.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i9 ON pgboss.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
      EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i12 ON pgboss.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);
      IF options->>'policy' = 'short' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON pgboss.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON pgboss.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i10 ON pgboss.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;
      EXECUTE format('ALTER TABLE pgboss.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE pgboss.job ATTACH PARTITION pgboss.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;
CREATE FUNCTION pgboss.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      SELECT table_name, partition
      FROM pgboss.queue
      WHERE name = queue_name
      INTO v_table, v_partition;
      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS pgboss.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM pgboss.%I WHERE name = %L', v_table, queue_name);
      END IF;
      DELETE FROM pgboss.queue WHERE name = queue_name;
    END;
    $$;
CREATE FUNCTION pgboss.job_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
      SELECT pg_catalog.now();
    $$;
CREATE FUNCTION pgboss.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $_$;
CREATE FUNCTION pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        EXECUTE pgboss.job_table_format(command, tbl_name);
        RETURN;
      END IF;
      EXECUTE pgboss.job_table_format(command, 'job_common');
      FOR tbl IN SELECT table_name FROM pgboss.queue WHERE partition = true
      LOOP
        EXECUTE pgboss.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;
CREATE FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          pgboss.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;
      INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        pgboss.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        pgboss.job_table_format(command, queue.table_name)
      FROM pgboss.queue
      WHERE partition = true;
    END;
    $$;
CREATE TABLE pgboss.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);
CREATE TABLE pgboss.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid
)
PARTITION BY LIST (name);
CREATE TABLE pgboss.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);
CREATE TABLE pgboss.job_dependency (
    child_name text NOT NULL,
    child_id uuid NOT NULL,
    parent_name text NOT NULL,
    parent_id uuid NOT NULL
);
CREATE TABLE pgboss.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer DEFAULT 0 NOT NULL,
    completed_delta integer DEFAULT 0 NOT NULL,
    failed_delta integer DEFAULT 0 NOT NULL,
    delta_on timestamp with time zone,
    delta_seconds integer,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_claim_on timestamp with time zone,
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);
CREATE TABLE pgboss.queue_stats (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (captured_on);
CREATE TABLE pgboss.queue_stats_20260117 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.queue_stats_20260118 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'cron'::text NOT NULL,
    cron text NOT NULL,
    timezone text DEFAULT 'UTC'::text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    last_job_id uuid,
    CONSTRAINT schedule_kind_check CHECK ((kind = ANY (ARRAY['cron'::text, 'rrule'::text])))
);
CREATE TABLE pgboss.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE pgboss.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone,
    reindex_on timestamp with time zone,
    monitor_backoff_on timestamp with time zone
);
CREATE TABLE pgboss.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.accounts (
    id text NOT NULL,
    user_id text NOT NULL,
    account_id text NOT NULL,
    provider_id text NOT NULL,
    password text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT accounts_check CHECK (((provider_id = 'credential'::text) AND (account_id = user_id)))
);
CREATE TABLE public.activity (
    id text NOT NULL,
    organization_id text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    detail text
);
CREATE TABLE public.api_keys (
    id text NOT NULL,
    organization_id text NOT NULL,
    public_id text NOT NULL,
    hash bytea NOT NULL,
    label text NOT NULL,
    scopes text[],
    created_by text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT api_keys_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['templates:read'::text, 'templates:write'::text, 'invitations:write'::text, 'results:read'::text])))
);
CREATE TABLE public.candidates (
    id text NOT NULL,
    organization_id text NOT NULL,
    email_key text NOT NULL
);
CREATE UNLOGGED TABLE public.check_windows (
    organization_id text NOT NULL,
    minute bigint NOT NULL,
    used integer NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.deliveries (
    id text NOT NULL,
    organization_id text NOT NULL,
    result_id text NOT NULL,
    status text NOT NULL,
    failure_reason text,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    round_started_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    delivered_at timestamp(3) with time zone,
    traceparent text,
    interview_id text NOT NULL,
    CONSTRAINT deliveries_check CHECK (((status = 'DELIVERED'::text) = (delivered_at IS NOT NULL))),
    CONSTRAINT deliveries_check1 CHECK (((status = 'FAILED'::text) = (failure_reason IS NOT NULL))),
    CONSTRAINT deliveries_failure_reason_check CHECK ((failure_reason = ANY (ARRAY['ENQUEUE_FAILED'::text, 'RECEIVER_REJECTED'::text, 'RECEIVES_EXHAUSTED'::text, 'WEBHOOK_DISABLED'::text]))),
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text]))),
    CONSTRAINT deliveries_traceparent_check CHECK ((length(traceparent) = 55))
)
WITH (fillfactor='80');
CREATE TABLE public.delivery_attempts (
    id bigint NOT NULL,
    delivery_id text NOT NULL,
    number integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    address text,
    status integer,
    error text,
    detail text,
    answer bytea,
    dns_ms real,
    connect_ms real,
    tls_ms real,
    first_byte_ms real,
    total_ms real
)
WITH (fillfactor='80');
ALTER TABLE public.delivery_attempts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.delivery_attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.delivery_half_hours (
    organization_id text NOT NULL,
    at timestamp with time zone NOT NULL,
    opened integer NOT NULL
);
CREATE TABLE public.endpoint_look (
    singleton boolean DEFAULT true NOT NULL,
    attempt_id bigint NOT NULL,
    CONSTRAINT endpoint_look_singleton_check CHECK (singleton)
);
CREATE TABLE public.endpoint_states (
    organization_id text NOT NULL,
    failing_since timestamp(3) with time zone,
    last_failure_at timestamp(3) with time zone NOT NULL,
    last_error text NOT NULL,
    failures integer NOT NULL,
    told_again_at timestamp(3) with time zone,
    recovered_at timestamp(3) with time zone,
    CONSTRAINT endpoint_states_check CHECK (((failing_since IS NULL) = (recovered_at IS NOT NULL)))
);
CREATE TABLE public.interviews (
    id text NOT NULL,
    invitation_id text NOT NULL,
    organization_id text NOT NULL,
    template_id text NOT NULL,
    candidate_id text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    token text NOT NULL,
    status text NOT NULL,
    superseded boolean DEFAULT false NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    erased_at timestamp(3) with time zone,
    CONSTRAINT interviews_status_check CHECK ((status = ANY (ARRAY['SCHEDULED'::text, 'IN_PROGRESS'::text, 'PAUSED'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'EXPIRED'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
CREATE TABLE public.members (
    organization_id text NOT NULL,
    user_id text NOT NULL,
    role text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'viewer'::text])))
);
CREATE TABLE public.organizations (
    id text NOT NULL,
    name text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);
CREATE UNLOGGED TABLE public.rate_windows (
    key_id text NOT NULL,
    minute bigint NOT NULL,
    used integer NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.result_positions (
    organization_id text NOT NULL,
    last bigint NOT NULL
);
CREATE TABLE public.results (
    id text NOT NULL,
    organization_id text NOT NULL,
    interview_id text NOT NULL,
    template_id text NOT NULL,
    "position" bigint,
    token text NOT NULL,
    scoring json NOT NULL,
    overall_score double precision NOT NULL,
    analysis json,
    completed_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    fingerprint bytea
);
CREATE TABLE public.retry_runs (
    id text NOT NULL,
    organization_id text NOT NULL,
    filter jsonb NOT NULL,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    position_at timestamp(3) with time zone,
    position_id text,
    started_by text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT retry_runs_check CHECK (((position_at IS NULL) = (position_id IS NULL)))
);
CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.sessions (
    id text NOT NULL,
    user_id text NOT NULL,
    token text NOT NULL,
    ip_address text,
    user_agent text,
    expires_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);
CREATE UNLOGGED TABLE public.sign_in_attempts (
    subject bytea NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    tried integer NOT NULL
);
CREATE TABLE public.templates (
    id text NOT NULL,
    organization_id text NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    external_posting_id text,
    whiteboard_enabled boolean NOT NULL,
    whiteboard_task jsonb,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT templates_check CHECK ((whiteboard_enabled = (whiteboard_task IS NOT NULL)))
);
CREATE TABLE public.thumbnails (
    interview_id text NOT NULL,
    size integer NOT NULL,
    base64 text NOT NULL,
    version text NOT NULL,
    verdict jsonb,
    stored_at timestamp(3) with time zone NOT NULL
)
WITH (toast_tuple_target='4080');
ALTER TABLE ONLY public.thumbnails ALTER COLUMN base64 SET STORAGE EXTERNAL;
CREATE TABLE public.turns (
    name text NOT NULL,
    taken_at timestamp with time zone NOT NULL
);
CREATE TABLE public.users (
    id text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT users_email_check CHECK ((email = lower(email)))
);
CREATE TABLE public.webhook_endpoints (
    organization_id text NOT NULL,
    url text NOT NULL,
    enabled boolean NOT NULL,
    sealed_secret bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;
ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20260117 FOR VALUES FROM ('2026-01-17 00:00:00+00') TO ('2026-01-18 00:00:00+00');
ALTER TABLE ONLY pgboss.queue_stats ATTACH PARTITION pgboss.queue_stats_20260118 FOR VALUES FROM ('2026-01-18 00:00:00+00') TO ('2026-01-19 00:00:00+00');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5634-7110-9c61-1ac097bcfdde', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrnh1e489rr8k7whn0tj5"}', 'retry', 3, 1, 60, true, NULL, 30, 3600, 'result.completed:res_01m7kqrnh0e489rr88a04pzadk', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:15:46.989619+00', '2026-01-17 03:10:47.868337+00', '2026-01-17 03:12:10.71616+00', NULL, '2027-11-17 03:10:47.868337+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('c4f5f4df-8f0b-46e1-b35f-4f2086355bca', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqv928e489rsn50zvh2aex"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqv928e489rsmtyt4q5gnt', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:15.329228+00', '2026-01-17 03:12:15.329228+00', NULL, NULL, '2027-11-17 03:12:15.329228+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77d-a44a-7110-9c66-a835c15154fd', '2026-01-17 03:12:13.386421+00', 3, '{"value": {"message": "job timed out"}}', '01a1e77d-a44a-7110-9c66-a835c15154fd');
INSERT INTO pgboss.job_common VALUES ('804966d6-6ce6-4602-bf85-09370557fa27', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrpyve489rrvsat2gs9yf"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrpyve489rrvqym1yt3he', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:12:15.329228+00', '2026-01-17 03:12:15.329228+00', NULL, NULL, '2027-11-17 03:12:15.329228+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77d-a465-7110-9c66-f0c2000fd2df', '2026-01-17 03:12:13.413592+00', 3, '{"value": {"message": "job timed out"}}', '01a1e77d-a465-7110-9c66-f0c2000fd2df');
INSERT INTO pgboss.job_common VALUES ('01a1e77d-a461-7110-9c66-e6aa19ce9a29', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqv92we489rsps56zpxymj"}', 'failed', 3, 3, 0, false, NULL, 1, 3600, 'result.completed:res_01m7kqv92we489rsppqjzrb4hy', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:19.468018+00', '2026-01-17 03:12:13.409546+00', '2026-01-17 03:12:19.690778+00', '2026-01-17 03:12:21.51061+00', '2027-11-17 03:12:13.409546+00', '{"value": {"message": "job timed out"}}', 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('7d976c81-1d00-455e-9457-b94ea259eee4', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqv92we489rsps56zpxymj"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqv92we489rsppqjzrb4hy', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:21.51061+00', '2026-01-17 03:12:21.51061+00', NULL, NULL, '2027-11-17 03:12:21.51061+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77d-a461-7110-9c66-e6aa19ce9a29', '2026-01-17 03:12:13.409546+00', 3, '{"value": {"message": "job timed out"}}', '01a1e77d-a461-7110-9c66-e6aa19ce9a29');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-57fd-7110-9c61-f973ef29d881', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrnyye489rrfqfa8e9war"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrnyye489rrfba0wwfqe7', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:48.754136+00', '2026-01-17 03:10:48.318513+00', '2026-01-17 03:10:48.758595+00', '2026-01-17 03:10:48.813532+00', '2027-11-17 03:10:48.318513+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('a6e27689-54e8-44fa-a00a-800579786682', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrnyye489rrfqfa8e9war"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrnyye489rrfba0wwfqe7', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:48.813532+00', '2026-01-17 03:10:48.813532+00', NULL, NULL, '2027-11-17 03:10:48.813532+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-57fd-7110-9c61-f973ef29d881', '2026-01-17 03:10:48.318513+00', 3, NULL, '01a1e77c-57fd-7110-9c61-f973ef29d881');
INSERT INTO pgboss.job_common VALUES ('01a1e77d-c553-7110-9c67-d45c673ecaae', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqvh9pe489rsyeertmmrpx"}', 'active', 3, 0, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqvh9pe489rsy1rvb12fnf', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:12:21.844721+00', '2026-01-17 03:12:21.844721+00', '2026-01-17 03:12:21.880201+00', NULL, '2027-11-17 03:12:21.844721+00', NULL, 'deliveries-dead', 'exclusive', '2026-01-17 03:12:21.880201+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77d-c47d-7110-9c67-2a95648a0d48', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqvh3we489rss7sk8vwr02"}', 'active', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqvh3we489rsrsp47j7n0b', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:22.032482+00', '2026-01-17 03:12:21.629932+00', '2026-01-17 03:12:22.093398+00', NULL, '2027-11-17 03:12:21.629932+00', NULL, 'deliveries-dead', 'exclusive', '2026-01-17 03:12:22.093398+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77d-c494-7110-9c67-604e492b92bb', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqvh4je489rstyaj0z8bpr"}', 'active', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqvh4he489rstkfynt86hz', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:22.104952+00', '2026-01-17 03:12:21.653423+00', '2026-01-17 03:12:22.138581+00', NULL, '2027-11-17 03:12:21.653423+00', NULL, 'deliveries-dead', 'exclusive', '2026-01-17 03:12:22.138581+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5a8f-7110-9c62-363859658c53', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpmde489rrheddse1bw0"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpmce489rrh369699yf6', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.224136+00', '2026-01-17 03:10:48.981252+00', '2026-01-17 03:10:49.226164+00', '2026-01-17 03:10:49.320311+00', '2027-11-17 03:10:48.981252+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('bfa60ff9-2409-4d57-907f-38a25057a6ca', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrpmde489rrheddse1bw0"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrpmce489rrh369699yf6', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.320311+00', '2026-01-17 03:10:49.320311+00', NULL, NULL, '2027-11-17 03:10:49.320311+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-5a8f-7110-9c62-363859658c53', '2026-01-17 03:10:48.981252+00', 3, NULL, '01a1e77c-5a8f-7110-9c62-363859658c53');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5ac9-7110-9c62-6b7b21a06bb2', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpp7e489rrk7etstswpt"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpp7e489rrjwb7x77ehg', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.320311+00', '2026-01-17 03:10:49.034056+00', '2026-01-17 03:10:49.407079+00', '2026-01-17 03:10:49.500719+00', '2027-11-17 03:10:49.034056+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5aff-7110-9c62-a21ab33d783a', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpqxe489rrmz9nf5z3rx"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpqxe489rrmpgfbkrgzh', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.320311+00', '2026-01-17 03:10:49.08794+00', '2026-01-17 03:10:49.407079+00', '2026-01-17 03:10:49.500719+00', '2027-11-17 03:10:49.08794+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('9b9db392-3992-49ae-a02d-a5af8ee71987', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrpp7e489rrk7etstswpt"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrpp7e489rrjwb7x77ehg', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.500719+00', '2026-01-17 03:10:49.500719+00', NULL, NULL, '2027-11-17 03:10:49.500719+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-5ac9-7110-9c62-6b7b21a06bb2', '2026-01-17 03:10:49.034056+00', 3, NULL, '01a1e77c-5ac9-7110-9c62-6b7b21a06bb2');
INSERT INTO pgboss.job_common VALUES ('01a1e77d-9a67-7110-9c66-73b788556d0d', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqv6k0e489rskahm4pq6tf"}', 'failed', 3, 3, 0, false, NULL, 1, 3600, 'result.completed:res_01m7kqv6k0e489rsk5v7408xme', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:12:11.423487+00', '2026-01-17 03:12:10.856896+00', '2026-01-17 03:12:11.66535+00', '2026-01-17 03:12:13.291674+00', '2027-11-17 03:12:10.856896+00', '{"value": {"message": "job timed out"}}', 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('ce6eb789-c03d-4a6b-b5dd-023eaef23a97', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqv6k0e489rskahm4pq6tf"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqv6k0e489rsk5v7408xme', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:12:13.291674+00', '2026-01-17 03:12:13.291674+00', NULL, NULL, '2027-11-17 03:12:13.291674+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77d-9a67-7110-9c66-73b788556d0d', '2026-01-17 03:12:10.856896+00', 3, '{"value": {"message": "job timed out"}}', '01a1e77d-9a67-7110-9c66-73b788556d0d');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5c1d-7110-9c63-bab355d8a812', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrq08e489rrxkzm322qd0"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrq08e489rrx9rdsgcah1', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.926291+00', '2026-01-17 03:10:49.374579+00', '2026-01-17 03:10:50.176227+00', '2026-01-17 03:10:50.248883+00', '2027-11-17 03:10:49.374579+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5cb4-7110-9c64-655f03aab5dd', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrq5he489rs2y0jpffe9b"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrq5he489rs2nz265nq3s', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:10:49.963641+00', '2026-01-17 03:10:49.52462+00', '2026-01-17 03:10:50.176227+00', '2026-01-17 03:10:50.248883+00', '2027-11-17 03:10:49.52462+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('9a1e5ea9-0f5c-4c30-bf8d-202268831b88', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrq5he489rs2y0jpffe9b"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrq5he489rs2nz265nq3s', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:10:50.248883+00', '2026-01-17 03:10:50.248883+00', NULL, NULL, '2027-11-17 03:10:50.248883+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-5cb4-7110-9c64-655f03aab5dd', '2026-01-17 03:10:49.52462+00', 3, NULL, '01a1e77c-5cb4-7110-9c64-655f03aab5dd');
INSERT INTO pgboss.job_common VALUES ('01a1e77d-a44a-7110-9c66-a835c15154fd', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqv928e489rsn50zvh2aex"}', 'failed', 3, 3, 0, false, NULL, 1, 3600, 'result.completed:res_01m7kqv928e489rsmtyt4q5gnt', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:13.931228+00', '2026-01-17 03:12:13.386421+00', '2026-01-17 03:12:14.181651+00', '2026-01-17 03:12:15.329228+00', '2027-11-17 03:12:13.386421+00', '{"value": {"message": "job timed out"}}', 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77d-a465-7110-9c66-f0c2000fd2df', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpyve489rrvsat2gs9yf"}', 'failed', 3, 3, 0, false, NULL, 1, 3600, 'result.completed:res_01m7kqrpyve489rrvqym1yt3he', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:12:13.931228+00', '2026-01-17 03:12:13.413592+00', '2026-01-17 03:12:14.181651+00', '2026-01-17 03:12:15.329228+00', '2027-11-17 03:12:13.413592+00', '{"value": {"message": "job timed out"}}', 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-7c23-7110-9c64-f5c32b673223', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpmde489rrheddse1bw0"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpmce489rrh369699yf6', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:58.025539+00', '2026-01-17 03:10:57.5719+00', '2026-01-17 03:10:58.228103+00', '2026-01-17 03:10:58.280644+00', '2027-11-17 03:10:57.5719+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('4f084b03-acbf-455d-bea3-3e7f1560fff2', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrpmde489rrheddse1bw0"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrpmce489rrh369699yf6', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:58.280644+00', '2026-01-17 03:10:58.280644+00', NULL, NULL, '2027-11-17 03:10:58.280644+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-7c23-7110-9c64-f5c32b673223', '2026-01-17 03:10:57.5719+00', 3, NULL, '01a1e77c-7c23-7110-9c64-f5c32b673223');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-8304-7110-9c65-94b6d259865d', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqs0qme489rsce0krsgh3p"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqs0qme489rsc71de5gr20', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:10:59.762106+00', '2026-01-17 03:10:59.333168+00', '2026-01-17 03:10:59.994125+00', '2026-01-17 03:11:00.048137+00', '2027-11-17 03:10:59.333168+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('cacdf907-9408-4c1a-9a6e-54d5a0398817', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqs0qme489rsce0krsgh3p"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqs0qme489rsc71de5gr20', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:11:00.048137+00', '2026-01-17 03:11:00.048137+00', NULL, NULL, '2027-11-17 03:11:00.048137+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-8304-7110-9c65-94b6d259865d', '2026-01-17 03:10:59.333168+00', 3, NULL, '01a1e77c-8304-7110-9c65-94b6d259865d');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5b19-7110-9c62-df9645346f21', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrprne489rrpnfk55xbnr"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrprne489rrpf0kwty0dg', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.500719+00', '2026-01-17 03:10:49.117452+00', '2026-01-17 03:10:49.526043+00', '2026-01-17 03:10:49.578316+00', '2027-11-17 03:10:49.117452+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5b45-7110-9c63-126dfb7697b2', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpt1e489rrrfbvy9w33h"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpt1e489rrr3rpmhcb92', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.500719+00', '2026-01-17 03:10:49.171087+00', '2026-01-17 03:10:49.526043+00', '2026-01-17 03:10:49.578316+00', '2027-11-17 03:10:49.171087+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5c8e-7110-9c64-28d95489323c', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrq47e489rs13wd10v4py"}', 'retry', 3, 0, 60, true, NULL, 30, 3600, 'result.completed:res_01m7kqrq47e489rs0tdpd9m6eb', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:47.942122+00', '2026-01-17 03:10:49.486714+00', '2026-01-17 03:10:49.526043+00', NULL, '2027-11-17 03:10:49.486714+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('c061817b-7194-4d5a-98af-6327e55d20ae', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrprne489rrpnfk55xbnr"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrprne489rrpf0kwty0dg', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.578316+00', '2026-01-17 03:10:49.578316+00', NULL, NULL, '2027-11-17 03:10:49.578316+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-5b19-7110-9c62-df9645346f21', '2026-01-17 03:10:49.117452+00', 3, NULL, '01a1e77c-5b19-7110-9c62-df9645346f21');
INSERT INTO pgboss.job_common VALUES ('c3f46cbe-0b44-4c34-8a6c-3dfe2a128eaa', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrpt1e489rrrfbvy9w33h"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrpt1e489rrr3rpmhcb92', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.578316+00', '2026-01-17 03:10:49.578316+00', NULL, NULL, '2027-11-17 03:10:49.578316+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-5b45-7110-9c63-126dfb7697b2', '2026-01-17 03:10:49.171087+00', 3, NULL, '01a1e77c-5b45-7110-9c63-126dfb7697b2');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5b8b-7110-9c63-48eec65c822c', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpw5e489rrt3za2btppz"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpw5e489rrsy0p7btntr', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.578316+00', '2026-01-17 03:10:49.229443+00', '2026-01-17 03:10:49.829839+00', '2026-01-17 03:10:49.926291+00', '2027-11-17 03:10:49.229443+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-5bde-7110-9c63-8708464ff667', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpyve489rrvsat2gs9yf"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpyve489rrvqym1yt3he', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:10:49.578316+00', '2026-01-17 03:10:49.311103+00', '2026-01-17 03:10:49.829839+00', '2026-01-17 03:10:49.926291+00', '2027-11-17 03:10:49.311103+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('fc60c6c8-b308-487c-b2e9-3a2d85ec65b3', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrpw5e489rrt3za2btppz"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrpw5e489rrsy0p7btntr', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:49.926291+00', '2026-01-17 03:10:49.926291+00', NULL, NULL, '2027-11-17 03:10:49.926291+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-5b8b-7110-9c63-48eec65c822c', '2026-01-17 03:10:49.229443+00', 3, NULL, '01a1e77c-5b8b-7110-9c63-48eec65c822c');
INSERT INTO pgboss.job_common VALUES ('9c449ca0-6bac-4098-aa4d-c502164d2d1b', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrpyve489rrvsat2gs9yf"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrpyve489rrvqym1yt3he', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:10:49.926291+00', '2026-01-17 03:10:49.926291+00', NULL, NULL, '2027-11-17 03:10:49.926291+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-5bde-7110-9c63-8708464ff667', '2026-01-17 03:10:49.311103+00', 3, NULL, '01a1e77c-5bde-7110-9c63-8708464ff667');
INSERT INTO pgboss.job_common VALUES ('01a1e77d-c4c3-7110-9c67-998fdafae3aa', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqvh62e489rswg0mpa5n3m"}', 'active', 3, 0, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqvh62e489rswf29fs4hfx', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:21.703127+00', '2026-01-17 03:12:21.703127+00', '2026-01-17 03:12:21.707819+00', NULL, '2027-11-17 03:12:21.703127+00', NULL, 'deliveries-dead', 'exclusive', '2026-01-17 03:12:21.707819+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-6050-7110-9c64-b5f6de30d61c', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrr2de489rs5bb3n7fhkz"}', 'failed', 3, 3, 0, false, NULL, 1, 3600, 'result.completed:res_01m7kqrr2de489rs56fkecsf15', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:55.959731+00', '2026-01-17 03:10:50.451692+00', '2026-01-17 03:10:55.962959+00', '2026-01-17 03:10:56.998862+00', '2027-11-17 03:10:50.451692+00', '{"value": {"message": "job timed out"}}', 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('5e9cbec3-62c0-460d-b6ff-22334bebd6fa', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrr2de489rs5bb3n7fhkz"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrr2de489rs56fkecsf15', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:56.998862+00', '2026-01-17 03:10:56.998862+00', NULL, NULL, '2027-11-17 03:10:56.998862+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-6050-7110-9c64-b5f6de30d61c', '2026-01-17 03:10:50.451692+00', 3, '{"value": {"message": "job timed out"}}', '01a1e77c-6050-7110-9c64-b5f6de30d61c');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-7f44-7110-9c65-165dd308ea56', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpp7e489rrk7etstswpt"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpp7e489rrjwb7x77ehg', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:58.803517+00', '2026-01-17 03:10:58.372326+00', '2026-01-17 03:10:59.009904+00', '2026-01-17 03:10:59.097108+00', '2027-11-17 03:10:58.372326+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('3fb0fcf5-15c1-4bd5-82bd-846842865071', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqrpp7e489rrk7etstswpt"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqrpp7e489rrjwb7x77ehg', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:10:59.097108+00', '2026-01-17 03:10:59.097108+00', NULL, NULL, '2027-11-17 03:10:59.097108+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-7f44-7110-9c65-165dd308ea56', '2026-01-17 03:10:58.372326+00', 3, NULL, '01a1e77c-7f44-7110-9c65-165dd308ea56');
INSERT INTO pgboss.job_common VALUES ('01a1e77d-c656-7110-9c68-46da557c9a95', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqvhjge489rt1x2778ycrr"}', 'retry', 3, 0, 60, true, NULL, 30, 3600, 'result.completed:res_01m7kqvhjge489rt1k1845xedk', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:13:40.966541+00', '2026-01-17 03:12:22.106104+00', '2026-01-17 03:12:22.138581+00', NULL, '2027-11-17 03:12:22.106104+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77d-c677-7110-9c68-52c1ace83d8c', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqrpw5e489rrt3za2btppz"}', 'active', 3, 1, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqrpw5e489rrsy0p7btntr', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:22.300109+00', '2026-01-17 03:12:22.136234+00', '2026-01-17 03:12:22.473931+00', NULL, '2027-11-17 03:12:22.136234+00', NULL, 'deliveries-dead', 'exclusive', '2026-01-17 03:12:22.473931+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77d-c605-7110-9c68-080654cec637', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqvhg3e489rt04ta9wsjg4"}', 'active', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqvhg3e489rsztcxxwx2m9', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:22.551417+00', '2026-01-17 03:12:22.025954+00', '2026-01-17 03:12:22.782191+00', NULL, '2027-11-17 03:12:22.025954+00', NULL, 'deliveries-dead', 'exclusive', '2026-01-17 03:12:22.782191+00', NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77d-cb55-7110-9c68-9e3647c3d3e2', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqvjthe489rt4qat78p5qt"}', 'created', 3, 0, 60, true, NULL, 30, 3600, 'result.completed:res_01m7kqvjthe489rt48m6rnxaf9', NULL, 'org_01m7kqrm4fe489rr6athmvhjp8', NULL, '2026-01-17 03:12:23.381712+00', '2026-01-17 03:12:23.381712+00', NULL, NULL, '2027-11-17 03:12:23.381712+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77d-cb74-7110-9c68-d5d8f8c80720', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqvjvke489rt6abqz8bv1y"}', 'created', 3, 0, 60, true, NULL, 30, 3600, 'result.completed:res_01m7kqvjvke489rt66f00am9f1', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:12:23.412754+00', '2026-01-17 03:12:23.412754+00', NULL, NULL, '2027-11-17 03:12:23.412754+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('01a1e77c-8621-7110-9c65-cd4f1b8dce75', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqs1gje489rse3smbgfkt3"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqs1gje489rsdvvb65e4ag', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:11:00.534171+00', '2026-01-17 03:11:00.133348+00', '2026-01-17 03:11:00.78993+00', '2026-01-17 03:11:00.861885+00', '2027-11-17 03:11:00.133348+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('4df132a1-678c-49b3-8780-a36ac4bd237c', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqs1gje489rse3smbgfkt3"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqs1gje489rsdvvb65e4ag', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:11:00.861885+00', '2026-01-17 03:11:00.861885+00', NULL, NULL, '2027-11-17 03:11:00.861885+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-8621-7110-9c65-cd4f1b8dce75', '2026-01-17 03:11:00.133348+00', 3, NULL, '01a1e77c-8621-7110-9c65-cd4f1b8dce75');
INSERT INTO pgboss.job_common VALUES ('01a1e77c-8959-7110-9c66-04805e76fd23', 'deliveries', 0, '{"deliveryId": "dlv_01m7kqs2ame489rsfreeqp834a"}', 'failed', 3, 3, 0, false, NULL, 30, 3600, 'result.completed:res_01m7kqs2ame489rsfgq1pfbsmz', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:11:16.403977+00', '2026-01-17 03:11:00.955375+00', '2026-01-17 03:11:16.416188+00', '2026-01-17 03:11:21.519145+00', '2027-11-17 03:11:00.955375+00', NULL, 'deliveries-dead', 'exclusive', NULL, NULL, false, false, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO pgboss.job_common VALUES ('8158b0a4-5521-4cef-923f-78e7f9aa2f0b', 'deliveries-dead', 0, '{"deliveryId": "dlv_01m7kqs2ame489rsfreeqp834a"}', 'created', 2, 0, 0, false, NULL, 900, 604800, 'result.completed:res_01m7kqs2ame489rsfgq1pfbsmz', NULL, 'org_01m7kqrm5me489rr6wbnwzmkmn', NULL, '2026-01-17 03:11:21.519145+00', '2026-01-17 03:11:21.519145+00', NULL, NULL, '2027-11-17 03:11:21.519145+00', NULL, NULL, NULL, NULL, NULL, false, false, 0, 'deliveries', '01a1e77c-8959-7110-9c66-04805e76fd23', '2026-01-17 03:11:00.955375+00', 3, NULL, '01a1e77c-8959-7110-9c66-04805e76fd23');
INSERT INTO pgboss.queue VALUES ('deliveries', 'exclusive', 2, 0, false, NULL, 900, 31536000, 3600, 'deliveries-dead', false, 'job_common', 3, 3, 0, 0, 6, 20, 29, 0, 0, 0, NULL, NULL, '{0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', NULL, false, NULL, '2026-01-17 03:12:22.543367+00', '2026-01-17 03:12:22.546367+00', '2026-01-17 03:10:47.575998+00', '2026-01-17 03:10:44.274327+00', '2026-01-17 03:10:44.274327+00');
INSERT INTO pgboss.queue VALUES ('deliveries-dead', 'standard', 2, 0, false, NULL, 900, 31536000, 604800, NULL, false, 'job_common', 0, 18, 18, 0, 0, 0, 18, 0, 0, 0, NULL, NULL, '{18,17,17,17,17,17,17,15,15,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14,14}', NULL, false, NULL, '2026-01-17 03:12:22.543367+00', '2026-01-17 03:12:22.546367+00', '2026-01-17 03:10:47.575998+00', '2026-01-17 03:10:44.262101+00', '2026-01-17 03:10:44.262101+00');
INSERT INTO pgboss.version VALUES (43, NULL, '2026-01-17 03:11:46.329233+00', '2026-01-17 03:12:19.470874+00', '2026-01-17 03:10:47.685952+00', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqrqyse489rs3a0nyw2z4m', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:50.277+00', 'admin@example.com', 'candidate.erased', 'cand_01m7kqrpzne489rrwrnje27nbp', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqrr05e489rs3kjhayp9sb', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:50.337+00', 'admin@example.com', 'candidate.erased', 'cand_01m7kqrq1ce489rrygm3bh4fqy', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqrr0ve489rs3zpdhfv14j', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:50.377+00', 'admin@example.com', 'candidate.erased', 'cand_01m7kqrq24e489rs0d5c2rj8dh', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqrykae489rs5sah4zr9kj', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:57.13+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqrr2de489rs5bb3n7fhkz', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqrz06e489rs6bsfv3q6ve', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:57.54+00', 'operator', 'delivery.retried', 'dlv_01m7kqrpqxe489rrmz9nf5z3rx', 'from the dead letters');
INSERT INTO public.activity VALUES ('act_01m7kqrz0ee489rs6z9ayvx9hh', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:57.55+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqrpmde489rrheddse1bw0', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqrz0me489rs757zt63j5b', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:57.556+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqrpp7e489rrk7etstswpt', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqrz0se489rs7a4gknq63k', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:57.561+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqrprne489rrpnfk55xbnr', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqrzsde489rs8bh1hseb2c', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:10:58.349+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqrpp7e489rrk7etstswpt', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqs0kze489rsaezfj9gk77', 'org_01m7kqrm5me489rr6wbnwzmkmn', '2026-01-17 03:10:59.193+00', 'admin@example.com', 'webhook.disabled', 'globex.hooks.example.com:37411', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqs0pne489rsaxazk2770z', 'org_01m7kqrm5me489rr6wbnwzmkmn', '2026-01-17 03:10:59.278+00', 'admin@example.com', 'webhook.enabled', 'globex.hooks.example.com:37411', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqv932e489rsqakcy6aaj1', 'org_01m7kqrm5me489rr6wbnwzmkmn', '2026-01-17 03:12:13.41+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqrpyve489rrvsat2gs9yf', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqvhk0e489rt2d0a7zz24z', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:12:22.112+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqrpw5e489rrt3za2btppz', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqvjs4e489rt2y37zpc9fd', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:12:23.332+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqrpt1e489rrrfbvy9w33h', NULL);
INSERT INTO public.activity VALUES ('act_01m7kqvjs6e489rt36m2rhy8xz', 'org_01m7kqrm4fe489rr6athmvhjp8', '2026-01-17 03:12:23.334+00', 'admin@example.com', 'delivery.retried', 'dlv_01m7kqvh4je489rstyaj0z8bpr', NULL);
INSERT INTO public.api_keys VALUES ('key_01m7kqrm4ke489rr6jxm8ncvn9', 'org_01m7kqrm4fe489rr6athmvhjp8', 'W0w0urCut3pbINf6', '\x4818cd8b8f10ff737897ca00bb7f1ec64d2bb25cc65b72e8010a9e40f3dc1467', 'test', '{templates:read,templates:write,invitations:write,results:read}', 'test', '2026-01-17 03:10:46.419+00', NULL, NULL);
INSERT INTO public.api_keys VALUES ('key_01m7kqrm5se489rr77sqhzd613', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'mDYIuIF0215hZwHE', '\x87586901e0ebfaf42c2c03f2e792d6ddd51571aa45733600c85f2013b70970e0', 'test', '{templates:read,templates:write,invitations:write,results:read}', 'test', '2026-01-17 03:10:46.457+00', NULL, NULL);
INSERT INTO public.candidates VALUES ('cand_01m7kqrmmse489rr7rq51hgc5a', 'org_01m7kqrm4fe489rr6athmvhjp8', 'in.retry.after.two.receives@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrnjre489rr9mzr558x38', 'org_01m7kqrm4fe489rr6athmvhjp8', 'delivered.at.once@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrnnge489rrba3ccr3xyh', 'org_01m7kqrm4fe489rr6athmvhjp8', 'delivered.after.a.retry@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrnqme489rrd4w0rx52ja', 'org_01m7kqrm4fe489rr6athmvhjp8', 'rejected@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrnwte489rrey22xe012g', 'org_01m7kqrm4fe489rr6athmvhjp8', 'exhausted@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrpkje489rrgkcam69bh1', 'org_01m7kqrm4fe489rr6athmvhjp8', 'exhausted.twice@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrpnge489rrj8hqxwx6nf', 'org_01m7kqrm4fe489rr6athmvhjp8', 'exhausted.rejected.exhausted@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrpqje489rrm1mhdsv4z6', 'org_01m7kqrm4fe489rr6athmvhjp8', 'redriven.and.delivered@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrpr7e489rrnwqf34jj08', 'org_01m7kqrm4fe489rr6athmvhjp8', 'retried.and.delivered@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrpsne489rrqje33nzjch', 'org_01m7kqrm4fe489rr6athmvhjp8', 'retried.and.waiting.for.the.sweep@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrpvbe489rrsev1g3z7vx', 'org_01m7kqrm4fe489rr6athmvhjp8', 'running.in.its.second.round@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrpy7e489rrv0r58223s4', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'second.round.died.unnoticed@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrq57e489rs211zc9zb07', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'without.an.image@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqrpzne489rrwrnje27nbp', 'org_01m7kqrm4fe489rr6athmvhjp8', 'erased:cand_01m7kqrpzne489rrwrnje27nbp');
INSERT INTO public.candidates VALUES ('cand_01m7kqrq1ce489rrygm3bh4fqy', 'org_01m7kqrm4fe489rr6athmvhjp8', 'erased:cand_01m7kqrq1ce489rrygm3bh4fqy');
INSERT INTO public.candidates VALUES ('cand_01m7kqrq24e489rs0d5c2rj8dh', 'org_01m7kqrm4fe489rr6athmvhjp8', 'erased:cand_01m7kqrq24e489rs0d5c2rj8dh');
INSERT INTO public.candidates VALUES ('cand_01m7kqrr1he489rs4kkf3nsrea', 'org_01m7kqrm4fe489rr6athmvhjp8', 'died.before.any.attempt.then.retried@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqs0j5e489rs9945yfzprr', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'webhook.disabled@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqs0q6e489rsbqgtxns238', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'network.errors@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqs1fne489rsdek12h0amv', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tls.errors@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqs29xe489rsf329hne0zp', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'timeouts@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqspg2e489rsgt3qdkkvge', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'timeouts.in.the.answer@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqv6jge489rsjpgfmy12bg', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'buried.then.delivered@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqv91ve489rsmczecnpj7r', 'org_01m7kqrm4fe489rr6athmvhjp8', 'died.in.its.fourth.receive@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqv92me489rsp1rv0qjy60', 'org_01m7kqrm4fe489rr6athmvhjp8', 'died.before.any.attempt@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvh3ae489rsre8v3xpaf8', 'org_01m7kqrm4fe489rr6athmvhjp8', 'exhausted.its.job.not.yet.dead@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvh4ae489rst1emz4046q', 'org_01m7kqrm4fe489rr6athmvhjp8', 'retried.its.first.job.not.yet.dead@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvh5te489rsvysy672xzt', 'org_01m7kqrm4fe489rr6athmvhjp8', 'running@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvh6pe489rsxmq1vse2wn', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'running.in.the.other.organization@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvhete489rsz8yzgb6z23', 'org_01m7kqrm4fe489rr6athmvhjp8', 'running.in.its.fourth.receive@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvhhne489rt14e24cbm2d', 'org_01m7kqrm4fe489rr6athmvhjp8', 'in.retry.after.one.receive@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvjsqe489rt3w116rp33j', 'org_01m7kqrm4fe489rr6athmvhjp8', 'queued@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvjv5e489rt5q9jpvs3yg', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'queued.in.the.other.organization@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvjvse489rt78m8cqjh9h', 'org_01m7kqrm4fe489rr6athmvhjp8', 'not.enqueued@example.com');
INSERT INTO public.candidates VALUES ('cand_01m7kqvjwje489rt8xn8zg15tg', 'org_01m7kqrm4fe489rr6athmvhjp8', 'never.enqueued@example.com');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrnh1e489rr8k7whn0tj5', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrnh0e489rr88a04pzadk', 'PENDING', NULL, 2, 'HTTP_5XX', '2026-01-17 03:10:47.838852+00', '2026-01-17 03:10:47.825+00', '2026-01-17 03:12:10.759+00', NULL, NULL, 'int_01m7kqrmmse489rr8172w16gdq');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrnkae489rraen9c9cact', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrnkae489rra512pez0q7', 'DELIVERED', NULL, 1, NULL, '2026-01-17 03:10:47.91143+00', '2026-01-17 03:10:47.911+00', '2026-01-17 03:10:48.01+00', '2026-01-17 03:10:48.01+00', NULL, 'int_01m7kqrnjre489rr9w1vq71bc1');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrpt1e489rrrfbvy9w33h', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrpt1e489rrr3rpmhcb92', 'PENDING', NULL, 0, 'HTTP_5XX', '2026-01-17 03:12:23.331929+00', '2026-01-17 03:10:49.148+00', '2026-01-17 03:12:23.331+00', NULL, NULL, 'int_01m7kqrpsne489rrqss6hms40d');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvh4je489rstyaj0z8bpr', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqvh4he489rstkfynt86hz', 'PENDING', NULL, 0, 'HTTP_5XX', '2026-01-17 03:12:23.334146+00', '2026-01-17 03:12:21.648+00', '2026-01-17 03:12:23.333+00', NULL, NULL, 'int_01m7kqvh4ae489rst8a1z3rme5');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrnt9e489rrdx75mgjqxy', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrnt9e489rrdk25r889ht', 'FAILED', 'RECEIVER_REJECTED', 1, 'HTTP_4XX', '2026-01-17 03:10:48.136093+00', '2026-01-17 03:10:48.123+00', '2026-01-17 03:10:48.204+00', NULL, NULL, 'int_01m7kqrnqme489rrddrqq22s33');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrnpce489rrc71fktv27b', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrnpce489rrbxy7atmryd', 'DELIVERED', NULL, 2, NULL, '2026-01-17 03:10:48.01142+00', '2026-01-17 03:10:48.008+00', '2026-01-17 03:10:48.311+00', '2026-01-17 03:10:48.311+00', NULL, 'int_01m7kqrnnge489rrbpnx6sw3p0');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqv6k0e489rskahm4pq6tf', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqv6k0e489rsk5v7408xme', 'DELIVERED', NULL, 4, NULL, '2026-01-17 03:12:10.847468+00', '2026-01-17 03:12:10.846+00', '2026-01-17 03:12:13.331+00', '2026-01-17 03:12:13.331+00', NULL, 'int_01m7kqv6jge489rsjyaebbydac');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrpmde489rrheddse1bw0', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrpmce489rrh369699yf6', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'HTTP_5XX', '2026-01-17 03:10:57.550025+00', '2026-01-17 03:10:48.967+00', '2026-01-17 03:10:58.256+00', NULL, NULL, 'int_01m7kqrpkje489rrgtrw863hqp');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvh62e489rswg0mpa5n3m', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqvh62e489rswf29fs4hfx', 'PENDING', NULL, 1, NULL, '2026-01-17 03:12:21.69769+00', '2026-01-17 03:12:21.697+00', '2026-01-17 03:12:21.708+00', NULL, NULL, 'int_01m7kqvh5te489rsw1hsewg2e9');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrnyye489rrfqfa8e9war', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrnyye489rrfba0wwfqe7', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'HTTP_5XX', '2026-01-17 03:10:48.282226+00', '2026-01-17 03:10:48.276+00', '2026-01-17 03:10:48.791+00', NULL, NULL, 'int_01m7kqrnwte489rrf4d8spnkhg');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrr2de489rs5bb3n7fhkz', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrr2de489rs56fkecsf15', 'DELIVERED', NULL, 2, NULL, '2026-01-17 03:10:57.130114+00', '2026-01-17 03:10:50.439+00', '2026-01-17 03:10:57.493+00', '2026-01-17 03:10:57.493+00', NULL, 'int_01m7kqrr1he489rs4yhr502wk9');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvh9pe489rsyeertmmrpx', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqvh9pe489rsy1rvb12fnf', 'PENDING', NULL, 1, NULL, '2026-01-17 03:12:21.772306+00', '2026-01-17 03:12:21.74+00', '2026-01-17 03:12:21.945+00', NULL, NULL, 'int_01m7kqvh6pe489rsxtfq8p11af');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrpqxe489rrmz9nf5z3rx', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrpqxe489rrmpgfbkrgzh', 'DELIVERED', NULL, 1, NULL, '2026-01-17 03:10:57.541958+00', '2026-01-17 03:10:49.084+00', '2026-01-17 03:10:57.576+00', '2026-01-17 03:10:57.576+00', NULL, 'int_01m7kqrpqje489rrmfa3a9j717');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrpp7e489rrk7etstswpt', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrpp7e489rrjwb7x77ehg', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'HTTP_5XX', '2026-01-17 03:10:58.34528+00', '2026-01-17 03:10:49.029+00', '2026-01-17 03:10:59.066+00', NULL, NULL, 'int_01m7kqrpnge489rrjkkhq4af98');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqv92we489rsps56zpxymj', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqv92we489rsppqjzrb4hy', 'PENDING', NULL, 0, NULL, '2026-01-17 03:12:13.403437+00', '2026-01-17 03:12:13.403+00', '2026-01-17 03:12:13.403+00', NULL, NULL, 'int_01m7kqv92me489rspc76xxj96t');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqs2ame489rsfreeqp834a', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqs2ame489rsfgq1pfbsmz', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'TIMEOUT', '2026-01-17 03:11:00.946423+00', '2026-01-17 03:11:00.946+00', '2026-01-17 03:11:21.463+00', NULL, NULL, 'int_01m7kqs29xe489rsfaww0ngvct');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvhjge489rt1x2778ycrr', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqvhjge489rt1k1845xedk', 'PENDING', NULL, 1, 'HTTP_5XX', '2026-01-17 03:12:22.093355+00', '2026-01-17 03:12:22.093+00', '2026-01-17 03:12:22.227+00', NULL, NULL, 'int_01m7kqvhhne489rt1c3r9n55bt');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrpw5e489rrt3za2btppz', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrpw5e489rrsy0p7btntr', 'PENDING', NULL, 2, 'HTTP_5XX', '2026-01-17 03:12:22.111313+00', '2026-01-17 03:10:49.214+00', '2026-01-17 03:12:22.475+00', NULL, NULL, 'int_01m7kqrpvbe489rrshkfq2h8b1');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvhg3e489rt04ta9wsjg4', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqvhg3e489rsztcxxwx2m9', 'PENDING', NULL, 4, 'HTTP_5XX', '2026-01-17 03:12:22.018687+00', '2026-01-17 03:12:22.016+00', '2026-01-17 03:12:22.783+00', NULL, NULL, 'int_01m7kqvhete489rszqx3r4j65f');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqs0qme489rsce0krsgh3p', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqs0qme489rsc71de5gr20', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'DESTINATION_REFUSED', '2026-01-17 03:10:59.311311+00', '2026-01-17 03:10:59.311+00', '2026-01-17 03:11:00.021+00', NULL, NULL, 'int_01m7kqs0q6e489rsbszvcp51e5');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrpyve489rrvsat2gs9yf', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqrpyve489rrvqym1yt3he', 'PENDING', NULL, 4, 'HTTP_5XX', '2026-01-17 03:12:13.410341+00', '2026-01-17 03:10:49.305+00', '2026-01-17 03:12:14.183+00', NULL, NULL, 'int_01m7kqrpy7e489rrv8nasaekzv');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrq5he489rs2y0jpffe9b', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqrq5he489rs2nz265nq3s', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'THUMBNAIL_MISSING', '2026-01-17 03:10:49.520518+00', '2026-01-17 03:10:49.519+00', '2026-01-17 03:10:50.225+00', NULL, NULL, 'int_01m7kqrq57e489rs2cm4fb1qqy');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqv928e489rsn50zvh2aex', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqv928e489rsmtyt4q5gnt', 'PENDING', NULL, 4, 'HTTP_5XX', '2026-01-17 03:12:13.380098+00', '2026-01-17 03:12:13.379+00', '2026-01-17 03:12:14.183+00', NULL, NULL, 'int_01m7kqv91ve489rsmqd4en7fbw');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrq1pe489rrz8rv9qgpzz', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrq1pe489rrz0k1ry49aa', 'DELIVERED', NULL, 1, NULL, '2026-01-17 03:10:49.398479+00', '2026-01-17 03:10:49.397+00', '2026-01-17 03:10:49.476+00', '2026-01-17 03:10:49.476+00', NULL, 'int_01m7kqrq1ce489rrywvgdp075y');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvjthe489rt4qat78p5qt', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqvjthe489rt48m6rnxaf9', 'PENDING', NULL, 0, NULL, '2026-01-17 03:12:23.372868+00', '2026-01-17 03:12:23.371+00', '2026-01-17 03:12:23.371+00', NULL, NULL, 'int_01m7kqvjsqe489rt401awnh7wr');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrq08e489rrxkzm322qd0', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrq08e489rrx9rdsgcah1', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'HTTP_5XX', '2026-01-17 03:10:49.351955+00', '2026-01-17 03:10:49.351+00', '2026-01-17 03:10:50.225+00', NULL, NULL, 'int_01m7kqrpzne489rrx0nj41e27r');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrq47e489rs13wd10v4py', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrq47e489rs0tdpd9m6eb', 'FAILED', 'WEBHOOK_DISABLED', 1, 'HTTP_5XX', '2026-01-17 03:10:49.477313+00', '2026-01-17 03:10:49.474+00', '2026-01-17 03:10:50.377+00', NULL, NULL, 'int_01m7kqrq24e489rs0kg2fy8r57');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvh3we489rss7sk8vwr02', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqvh3we489rsrsp47j7n0b', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'HTTP_5XX', '2026-01-17 03:12:21.627853+00', '2026-01-17 03:12:21.627+00', '2026-01-17 03:12:22.126+00', NULL, NULL, 'int_01m7kqvh3ae489rsrn369czrwt');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqrprne489rrpnfk55xbnr', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqrprne489rrpf0kwty0dg', 'DELIVERED', NULL, 1, NULL, '2026-01-17 03:10:57.560436+00', '2026-01-17 03:10:49.105+00', '2026-01-17 03:10:57.607+00', '2026-01-17 03:10:57.607+00', NULL, 'int_01m7kqrpr7e489rrp728ynpkpm');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvjvke489rt6abqz8bv1y', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqvjvke489rt66f00am9f1', 'PENDING', NULL, 0, NULL, '2026-01-17 03:12:23.411168+00', '2026-01-17 03:12:23.407+00', '2026-01-17 03:12:23.407+00', NULL, NULL, 'int_01m7kqvjv5e489rt5wg99b2nxz');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqsph1e489rshj6x6ksr27', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqsph1e489rshe05c7xzn0', 'DELIVERED', NULL, 3, NULL, '2026-01-17 03:11:21.627127+00', '2026-01-17 03:11:21.626+00', '2026-01-17 03:11:32.049+00', '2026-01-17 03:11:32.049+00', NULL, 'int_01m7kqspg2e489rsh3eb5ja9yp');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvjw0e489rt82dpp4vwrx', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqvjw0e489rt7s99zga3rh', 'FAILED', 'ENQUEUE_FAILED', 0, NULL, '2026-01-17 03:12:23.424469+00', '2026-01-17 03:12:23.424+00', '2026-01-17 03:12:23.424+00', NULL, NULL, 'int_01m7kqvjvse489rt7nk2crrf7v');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqvjxde489rt9mdyzenwvt', 'org_01m7kqrm4fe489rr6athmvhjp8', 'res_01m7kqvjxde489rt996jb07z8y', 'PENDING', NULL, 0, NULL, '2026-01-17 03:12:23.468833+00', '2026-01-17 03:12:23.468+00', '2026-01-17 03:12:23.468+00', NULL, NULL, 'int_01m7kqvjwje489rt96hkh6vb8q');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqs0khe489rsa3stxgjrbc', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqs0khe489rs9sdsjhvjmn', 'FAILED', 'WEBHOOK_DISABLED', 0, NULL, '2026-01-17 03:10:59.174705+00', '2026-01-17 03:10:59.174+00', '2026-01-17 03:10:59.221+00', NULL, NULL, 'int_01m7kqs0j5e489rs9q5jqs4zpy');
INSERT INTO public.deliveries VALUES ('dlv_01m7kqs1gje489rse3smbgfkt3', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'res_01m7kqs1gje489rsdvvb65e4ag', 'FAILED', 'RECEIVES_EXHAUSTED', 4, 'NETWORK', '2026-01-17 03:11:00.107635+00', '2026-01-17 03:11:00.107+00', '2026-01-17 03:11:00.833+00', NULL, NULL, 'int_01m7kqs1fne489rsdkse71dm0v');
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (1, 'dlv_01m7kqrnh1e489rr8k7whn0tj5', 1, '2026-01-17 03:10:47.938+00', '2026-01-17 03:10:48.01+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.558339, 7.046237, 11.488509, 12.988982, 39.774616);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (2, 'dlv_01m7kqrnkae489rraen9c9cact', 1, '2026-01-17 03:10:47.938+00', '2026-01-17 03:10:48.01+00', '127.0.0.1', 200, NULL, NULL, '\x', 2.10067, 4.589058, 23.158604, 13.341556, 48.586693);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (3, 'dlv_01m7kqrnpce489rrc71fktv27b', 1, '2026-01-17 03:10:48.037+00', '2026-01-17 03:10:48.131+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.191356, NULL, NULL, 29.760862, 37.799126);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (4, 'dlv_01m7kqrnt9e489rrdx75mgjqxy', 1, '2026-01-17 03:10:48.162+00', '2026-01-17 03:10:48.204+00', '127.0.0.1', 400, 'HTTP_4XX', 'the endpoint answered 400', '\x756e617661696c61626c65', 0.329703, NULL, NULL, 9.451574, 10.651507);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (5, 'dlv_01m7kqrnpce489rrc71fktv27b', 2, '2026-01-17 03:10:48.257+00', '2026-01-17 03:10:48.311+00', '127.0.0.1', 200, NULL, NULL, '\x', 0.27005, NULL, NULL, 8.69727, 9.599603);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (6, 'dlv_01m7kqrnyye489rrfqfa8e9war', 1, '2026-01-17 03:10:48.358+00', '2026-01-17 03:10:48.387+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.278788, NULL, NULL, 2.842146, 4.599553);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (7, 'dlv_01m7kqrnyye489rrfqfa8e9war', 2, '2026-01-17 03:10:48.451+00', '2026-01-17 03:10:48.485+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 3.000273, NULL, NULL, 1.187744, 4.967309);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (8, 'dlv_01m7kqrnyye489rrfqfa8e9war', 3, '2026-01-17 03:10:48.707+00', '2026-01-17 03:10:48.731+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.310499, NULL, NULL, 1.513588, 2.318644);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (9, 'dlv_01m7kqrnyye489rrfqfa8e9war', 4, '2026-01-17 03:10:48.76+00', '2026-01-17 03:10:48.791+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.264841, NULL, NULL, 0.943089, 1.736839);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (10, 'dlv_01m7kqrpmde489rrheddse1bw0', 1, '2026-01-17 03:10:48.984+00', '2026-01-17 03:10:49.021+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.16114, NULL, NULL, 0.83642, 1.499963);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (11, 'dlv_01m7kqrpp7e489rrk7etstswpt', 1, '2026-01-17 03:10:49.046+00', '2026-01-17 03:10:49.08+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.190676, NULL, NULL, 6.304966, 7.936686);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (12, 'dlv_01m7kqrpmde489rrheddse1bw0', 2, '2026-01-17 03:10:49.092+00', '2026-01-17 03:10:49.128+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.173638, NULL, NULL, 0.886467, 1.474471);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (13, 'dlv_01m7kqrpqxe489rrmz9nf5z3rx', 1, '2026-01-17 03:10:49.092+00', '2026-01-17 03:10:49.128+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.21472, NULL, NULL, 0.995947, 1.621619);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (14, 'dlv_01m7kqrpp7e489rrk7etstswpt', 2, '2026-01-17 03:10:49.127+00', '2026-01-17 03:10:49.156+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.175407, NULL, NULL, 0.8389, 2.057228);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (15, 'dlv_01m7kqrprne489rrpnfk55xbnr', 1, '2026-01-17 03:10:49.127+00', '2026-01-17 03:10:49.156+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.211626, NULL, NULL, 0.923885, 2.165087);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (18, 'dlv_01m7kqrpmde489rrheddse1bw0', 3, '2026-01-17 03:10:49.173+00', '2026-01-17 03:10:49.2+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.227274, NULL, NULL, 1.950372, 3.470578);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (16, 'dlv_01m7kqrpqxe489rrmz9nf5z3rx', 2, '2026-01-17 03:10:49.173+00', '2026-01-17 03:10:49.2+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.236132, NULL, NULL, 2.043809, 3.571322);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (17, 'dlv_01m7kqrpt1e489rrrfbvy9w33h', 1, '2026-01-17 03:10:49.173+00', '2026-01-17 03:10:49.2+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.24252, 2.188603, 3.715222, 2.4058, 9.334815);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (21, 'dlv_01m7kqrpmde489rrheddse1bw0', 4, '2026-01-17 03:10:49.23+00', '2026-01-17 03:10:49.293+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.322772, NULL, NULL, 29.317482, 31.411203);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (22, 'dlv_01m7kqrpp7e489rrk7etstswpt', 3, '2026-01-17 03:10:49.23+00', '2026-01-17 03:10:49.293+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.33723, NULL, NULL, 29.780676, 31.916626);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (19, 'dlv_01m7kqrpqxe489rrmz9nf5z3rx', 3, '2026-01-17 03:10:49.23+00', '2026-01-17 03:10:49.293+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.342061, NULL, NULL, 29.930418, 32.038406);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (23, 'dlv_01m7kqrprne489rrpnfk55xbnr', 2, '2026-01-17 03:10:49.23+00', '2026-01-17 03:10:49.293+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.343809, 27.1781, 7.126739, 4.698245, 40.902775);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (20, 'dlv_01m7kqrpt1e489rrrfbvy9w33h', 2, '2026-01-17 03:10:49.23+00', '2026-01-17 03:10:49.293+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.448693, 27.086962, 11.222063, 3.988969, 43.671593);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (24, 'dlv_01m7kqrpw5e489rrt3za2btppz', 1, '2026-01-17 03:10:49.27+00', '2026-01-17 03:10:49.293+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.174352, NULL, NULL, 0.549083, 1.037793);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (76, 'dlv_01m7kqrnh1e489rr8k7whn0tj5', 2, '2026-01-17 03:12:10.717+00', '2026-01-17 03:12:10.759+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.223164, 2.072506, 2.993742, 1.493197, 13.290773);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (77, 'dlv_01m7kqv6k0e489rskahm4pq6tf', 1, '2026-01-17 03:12:11.028+00', '2026-01-17 03:12:11.05+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.15886, NULL, NULL, 0.899586, 1.39374);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (80, 'dlv_01m7kqv6k0e489rskahm4pq6tf', 4, '2026-01-17 03:12:11.666+00', '2026-01-17 03:12:13.331+00', '127.0.0.1', 200, NULL, NULL, '\x', 0.133301, NULL, NULL, 1627.2092, 1627.6683);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (94, 'dlv_01m7kqvh9pe489rsyeertmmrpx', 1, '2026-01-17 03:12:21.945+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (95, 'dlv_01m7kqvh3we489rss7sk8vwr02', 3, '2026-01-17 03:12:21.945+00', '2026-01-17 03:12:22.004+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.251499, NULL, NULL, 1.007718, 26.0987);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (25, 'dlv_01m7kqrpyve489rrvsat2gs9yf', 1, '2026-01-17 03:10:49.313+00', '2026-01-17 03:10:49.341+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.130251, 1.502913, 1.687002, 0.92975, 4.714701);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (57, 'dlv_01m7kqrpp7e489rrk7etstswpt', 1, '2026-01-17 03:10:58.385+00', '2026-01-17 03:10:58.409+00', '127.0.0.1', 500, 'HTTP_5XX', 'the endpoint answered 500', '\x756e617661696c61626c65', 0.175447, NULL, NULL, 0.59398, 1.055179);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (58, 'dlv_01m7kqrpp7e489rrk7etstswpt', 2, '2026-01-17 03:10:58.7+00', '2026-01-17 03:10:58.726+00', '127.0.0.1', 500, 'HTTP_5XX', 'the endpoint answered 500', '\x756e617661696c61626c65', 0.21937, NULL, NULL, 0.955773, 1.588213);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (59, 'dlv_01m7kqrpp7e489rrk7etstswpt', 3, '2026-01-17 03:10:58.752+00', '2026-01-17 03:10:58.777+00', '127.0.0.1', 500, 'HTTP_5XX', 'the endpoint answered 500', '\x756e617661696c61626c65', 0.176531, NULL, NULL, 1.857003, 2.345966);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (60, 'dlv_01m7kqrpp7e489rrk7etstswpt', 4, '2026-01-17 03:10:59.011+00', '2026-01-17 03:10:59.066+00', '127.0.0.1', 500, 'HTTP_5XX', 'the endpoint answered 500', '\x756e617661696c61626c65', 0.21412, NULL, NULL, 0.755617, 1.314755);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (73, 'dlv_01m7kqsph1e489rshj6x6ksr27', 1, '2026-01-17 03:11:21.637+00', '2026-01-17 03:11:26.671+00', '127.0.0.1', NULL, 'TIMEOUT', 'the answer did not end in time', '\x', 0.148805, 0.91497, 8.402649, 1.549862, 5012.0586);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (75, 'dlv_01m7kqsph1e489rshj6x6ksr27', 3, '2026-01-17 03:11:32.01+00', '2026-01-17 03:11:32.049+00', '127.0.0.1', 200, NULL, NULL, '\x', 0.165455, 5.022098, 1.706202, 0.921565, 13.358714);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (78, 'dlv_01m7kqv6k0e489rskahm4pq6tf', 2, '2026-01-17 03:12:11.082+00', '2026-01-17 03:12:11.111+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.179951, NULL, NULL, 0.691797, 1.17198);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (79, 'dlv_01m7kqv6k0e489rskahm4pq6tf', 3, '2026-01-17 03:12:11.357+00', '2026-01-17 03:12:11.398+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.379704, NULL, NULL, 1.172259, 2.117318);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (81, 'dlv_01m7kqv928e489rsn50zvh2aex', 1, '2026-01-17 03:12:13.529+00', '2026-01-17 03:12:13.558+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 1.791455, NULL, NULL, 1.016969, 3.293324);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (82, 'dlv_01m7kqrpyve489rrvsat2gs9yf', 1, '2026-01-17 03:12:13.529+00', '2026-01-17 03:12:13.558+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 1.818384, NULL, NULL, 1.161513, 3.41117);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (84, 'dlv_01m7kqv928e489rsn50zvh2aex', 2, '2026-01-17 03:12:13.608+00', '2026-01-17 03:12:13.646+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.242205, NULL, NULL, 4.454624, 5.400687);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (83, 'dlv_01m7kqrpyve489rrvsat2gs9yf', 2, '2026-01-17 03:12:13.608+00', '2026-01-17 03:12:13.646+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.258841, NULL, NULL, 4.548826, 5.504933);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (89, 'dlv_01m7kqvh3we489rss7sk8vwr02', 1, '2026-01-17 03:12:21.631+00', '2026-01-17 03:12:21.653+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.159353, NULL, NULL, 0.783751, 1.245581);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (93, 'dlv_01m7kqvh4je489rstyaj0z8bpr', 2, '2026-01-17 03:12:21.766+00', '2026-01-17 03:12:21.861+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.17324, NULL, NULL, 33.693043, 47.538593);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (97, 'dlv_01m7kqvhg3e489rt04ta9wsjg4', 1, '2026-01-17 03:12:22.036+00', '2026-01-17 03:12:22.102+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.148136, NULL, NULL, 8.444167, 9.274216);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (28, 'dlv_01m7kqrpp7e489rrk7etstswpt', 4, '2026-01-17 03:10:49.421+00', '2026-01-17 03:10:49.476+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.919573, NULL, NULL, 4.683232, 7.293144);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (26, 'dlv_01m7kqrpqxe489rrmz9nf5z3rx', 4, '2026-01-17 03:10:49.421+00', '2026-01-17 03:10:49.476+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.949147, NULL, NULL, 4.826219, 7.492927);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (29, 'dlv_01m7kqrprne489rrpnfk55xbnr', 3, '2026-01-17 03:10:49.421+00', '2026-01-17 03:10:49.476+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.954915, NULL, NULL, 4.898379, 7.574027);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (27, 'dlv_01m7kqrpt1e489rrrfbvy9w33h', 3, '2026-01-17 03:10:49.421+00', '2026-01-17 03:10:49.476+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.954843, NULL, NULL, 4.939787, 7.634556);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (30, 'dlv_01m7kqrpw5e489rrt3za2btppz', 2, '2026-01-17 03:10:49.421+00', '2026-01-17 03:10:49.476+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.950541, NULL, NULL, 4.973778, 7.68836);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (31, 'dlv_01m7kqrpyve489rrvsat2gs9yf', 2, '2026-01-17 03:10:49.421+00', '2026-01-17 03:10:49.476+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.955481, NULL, NULL, 5.007976, 7.741342);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (55, 'dlv_01m7kqrpmde489rrheddse1bw0', 3, '2026-01-17 03:10:57.958+00', '2026-01-17 03:10:57.993+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.259291, NULL, NULL, 1.392208, 2.751176);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (86, 'dlv_01m7kqv928e489rsn50zvh2aex', 3, '2026-01-17 03:12:13.87+00', '2026-01-17 03:12:13.901+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.155778, NULL, NULL, 2.011329, 2.533164);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (85, 'dlv_01m7kqrpyve489rrvsat2gs9yf', 3, '2026-01-17 03:12:13.87+00', '2026-01-17 03:12:13.901+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.176669, NULL, NULL, 2.164491, 2.639624);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (40, 'dlv_01m7kqrq5he489rs2y0jpffe9b', 1, '2026-01-17 03:10:49.527+00', '2026-01-17 03:10:49.554+00', NULL, NULL, 'THUMBNAIL_MISSING', 'The interview has no thumbnail.', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (35, 'dlv_01m7kqrprne489rrpnfk55xbnr', 4, '2026-01-17 03:10:49.527+00', '2026-01-17 03:10:49.554+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 1.306389, NULL, NULL, 2.797643, 4.700906);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (34, 'dlv_01m7kqrpt1e489rrrfbvy9w33h', 4, '2026-01-17 03:10:49.527+00', '2026-01-17 03:10:49.554+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 1.345241, NULL, NULL, 2.857473, 4.808955);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (36, 'dlv_01m7kqrpw5e489rrt3za2btppz', 3, '2026-01-17 03:10:49.527+00', '2026-01-17 03:10:49.554+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 1.356941, NULL, NULL, 2.897036, 4.869247);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (37, 'dlv_01m7kqrpyve489rrvsat2gs9yf', 3, '2026-01-17 03:10:49.527+00', '2026-01-17 03:10:49.554+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 1.36047, NULL, NULL, 2.9297, 4.918646);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (61, 'dlv_01m7kqs0qme489rsce0krsgh3p', 1, '2026-01-17 03:10:59.342+00', '2026-01-17 03:10:59.378+00', '127.0.0.9', NULL, 'NETWORK', 'the connection was refused (ECONNREFUSED)', '\x', 0.201574, NULL, NULL, NULL, 2.872499);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (87, 'dlv_01m7kqrpyve489rrvsat2gs9yf', 4, '2026-01-17 03:12:14.183+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (44, 'dlv_01m7kqrq5he489rs2y0jpffe9b', 2, '2026-01-17 03:10:49.831+00', '2026-01-17 03:10:49.867+00', NULL, NULL, 'THUMBNAIL_MISSING', 'The interview has no thumbnail.', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (41, 'dlv_01m7kqrpw5e489rrt3za2btppz', 4, '2026-01-17 03:10:49.831+00', '2026-01-17 03:10:49.894+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.301381, NULL, NULL, 20.167076, 35.59645);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (42, 'dlv_01m7kqrpyve489rrvsat2gs9yf', 4, '2026-01-17 03:10:49.831+00', '2026-01-17 03:10:49.894+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.33289, NULL, NULL, 20.213455, 35.81211);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (45, 'dlv_01m7kqrq5he489rs2y0jpffe9b', 3, '2026-01-17 03:10:49.905+00', '2026-01-17 03:10:49.935+00', NULL, NULL, 'THUMBNAIL_MISSING', 'The interview has no thumbnail.', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (88, 'dlv_01m7kqv928e489rsn50zvh2aex', 4, '2026-01-17 03:12:14.183+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (47, 'dlv_01m7kqrq5he489rs2y0jpffe9b', 4, '2026-01-17 03:10:50.18+00', '2026-01-17 03:10:50.225+00', NULL, NULL, 'THUMBNAIL_MISSING', 'The interview has no thumbnail.', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (62, 'dlv_01m7kqs0qme489rsce0krsgh3p', 2, '2026-01-17 03:10:59.656+00', '2026-01-17 03:10:59.69+00', '127.0.0.7', NULL, 'NETWORK', 'the connection was reset (ECONNRESET)', '\x', 0.181481, 1.248197, NULL, NULL, 2.62984);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (48, 'dlv_01m7kqrr2de489rs5bb3n7fhkz', 1, '2026-01-17 03:10:57.145+00', '2026-01-17 03:10:57.189+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.213467, NULL, NULL, 0.606522, 1.227717);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (49, 'dlv_01m7kqrr2de489rs5bb3n7fhkz', 2, '2026-01-17 03:10:57.469+00', '2026-01-17 03:10:57.493+00', '127.0.0.1', 200, NULL, NULL, '\x', 0.199256, NULL, NULL, 0.617705, 1.11204);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (50, 'dlv_01m7kqrpqxe489rrmz9nf5z3rx', 1, '2026-01-17 03:10:57.55+00', '2026-01-17 03:10:57.576+00', '127.0.0.1', 200, NULL, NULL, '\x', 0.204272, NULL, NULL, 3.717238, 4.216324);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (64, 'dlv_01m7kqs0qme489rsce0krsgh3p', 4, '2026-01-17 03:10:59.995+00', '2026-01-17 03:11:00.021+00', NULL, NULL, 'DESTINATION_REFUSED', '10.0.0.1 is private (10.0.0.0/8)', NULL, 0.586456, NULL, NULL, NULL, 0.586456);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (65, 'dlv_01m7kqs1gje489rse3smbgfkt3', 1, '2026-01-17 03:11:00.137+00', '2026-01-17 03:11:00.168+00', '127.0.0.2', NULL, 'TLS', 'the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)', '\x', 0.165283, 1.390801, NULL, NULL, 7.167059);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (69, 'dlv_01m7kqs2ame489rsfreeqp834a', 1, '2026-01-17 03:11:00.958+00', '2026-01-17 03:11:05.985+00', NULL, NULL, 'TIMEOUT', 'the name globex.hooks.example.com was not resolved in time', NULL, 5004.3545, NULL, NULL, NULL, 5004.3545);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (91, 'dlv_01m7kqvh62e489rswg0mpa5n3m', 1, '2026-01-17 03:12:21.708+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (90, 'dlv_01m7kqvh4je489rstyaj0z8bpr', 1, '2026-01-17 03:12:21.681+00', '2026-01-17 03:12:21.711+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.134547, NULL, NULL, 0.574737, 1.630064);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (92, 'dlv_01m7kqvh3we489rss7sk8vwr02', 2, '2026-01-17 03:12:21.708+00', '2026-01-17 03:12:21.752+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.558077, NULL, NULL, 2.540711, 4.776562);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (96, 'dlv_01m7kqvh4je489rstyaj0z8bpr', 3, '2026-01-17 03:12:22.008+00', '2026-01-17 03:12:22.044+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 1.365329, NULL, NULL, 4.937228, 6.610988);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (98, 'dlv_01m7kqvh3we489rss7sk8vwr02', 4, '2026-01-17 03:12:22.096+00', '2026-01-17 03:12:22.126+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.173321, NULL, NULL, 1.123633, 1.865344);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (104, 'dlv_01m7kqrpw5e489rrt3za2btppz', 2, '2026-01-17 03:12:22.475+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (103, 'dlv_01m7kqvhg3e489rt04ta9wsjg4', 3, '2026-01-17 03:12:22.475+00', '2026-01-17 03:12:22.524+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.196377, NULL, NULL, 0.704121, 1.201346);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (105, 'dlv_01m7kqvhg3e489rt04ta9wsjg4', 4, '2026-01-17 03:12:22.783+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (51, 'dlv_01m7kqrpmde489rrheddse1bw0', 1, '2026-01-17 03:10:57.576+00', '2026-01-17 03:10:57.607+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.201142, NULL, NULL, 6.967705, 7.566038);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (52, 'dlv_01m7kqrpp7e489rrk7etstswpt', 1, '2026-01-17 03:10:57.576+00', '2026-01-17 03:10:57.607+00', '127.0.0.1', 400, 'HTTP_4XX', 'the endpoint answered 400', '\x756e617661696c61626c65', 0.22716, NULL, NULL, 7.070969, 7.68217);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (53, 'dlv_01m7kqrprne489rrpnfk55xbnr', 1, '2026-01-17 03:10:57.576+00', '2026-01-17 03:10:57.607+00', '127.0.0.1', 200, NULL, NULL, '\x', 0.232046, NULL, NULL, 8.527497, 9.310345);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (54, 'dlv_01m7kqrpmde489rrheddse1bw0', 2, '2026-01-17 03:10:57.893+00', '2026-01-17 03:10:57.922+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.216104, NULL, NULL, 1.481023, 2.094139);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (56, 'dlv_01m7kqrpmde489rrheddse1bw0', 4, '2026-01-17 03:10:58.229+00', '2026-01-17 03:10:58.256+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.279266, NULL, NULL, 0.719639, 2.445806);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (63, 'dlv_01m7kqs0qme489rsce0krsgh3p', 3, '2026-01-17 03:10:59.716+00', '2026-01-17 03:10:59.739+00', NULL, NULL, 'DNS', 'the name globex.hooks.example.com could not be looked up (EBADRESP)', NULL, 0.537486, NULL, NULL, NULL, 0.537486);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (66, 'dlv_01m7kqs1gje489rse3smbgfkt3', 2, '2026-01-17 03:11:00.218+00', '2026-01-17 03:11:00.247+00', '127.0.0.3', NULL, 'TLS', '40E3ECB4D97F0000:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:918:SSL alert number 40
 (ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE)', '\x', 0.176511, 5.461593, NULL, NULL, 7.115815);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (67, 'dlv_01m7kqs1gje489rse3smbgfkt3', 3, '2026-01-17 03:11:00.473+00', '2026-01-17 03:11:00.499+00', '127.0.0.5', NULL, 'TLS', 'the port does not speak TLS (ERR_SSL_WRONG_VERSION_NUMBER)', '\x', 0.200364, 1.838922, NULL, NULL, 2.98895);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (68, 'dlv_01m7kqs1gje489rse3smbgfkt3', 4, '2026-01-17 03:11:00.791+00', '2026-01-17 03:11:00.833+00', '127.0.0.1', NULL, 'NETWORK', 'no proper answer came: other side closed (UND_ERR_SOCKET)', '\x', 0.184494, 1.091922, 5.68566, NULL, 18.71653);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (70, 'dlv_01m7kqs2ame489rsfreeqp834a', 2, '2026-01-17 03:11:06.197+00', '2026-01-17 03:11:11.229+00', '127.0.0.6', NULL, 'TIMEOUT', 'the address did not respond in time', '\x', 0.167785, NULL, NULL, NULL, 5002.0337);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (71, 'dlv_01m7kqs2ame489rsfreeqp834a', 3, '2026-01-17 03:11:11.349+00', '2026-01-17 03:11:16.376+00', '127.0.0.4', NULL, 'TIMEOUT', 'the TLS handshake did not end in time', '\x', 0.152959, 0.840673, NULL, NULL, 5003.7793);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (72, 'dlv_01m7kqs2ame489rsfreeqp834a', 4, '2026-01-17 03:11:16.417+00', '2026-01-17 03:11:21.463+00', '127.0.0.1', NULL, 'TIMEOUT', 'no answer came in time', '\x', 0.200715, 1.311247, 11.086111, NULL, 5004.3125);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (74, 'dlv_01m7kqsph1e489rshj6x6ksr27', 2, '2026-01-17 03:11:26.863+00', '2026-01-17 03:11:31.897+00', '127.0.0.1', 202, 'TIMEOUT', 'the answer did not end in time', '\x68616c66', 0.164963, 0.848167, 13.680806, 1.866142, 5007.215);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (99, 'dlv_01m7kqvh4je489rstyaj0z8bpr', 4, '2026-01-17 03:12:22.144+00', '2026-01-17 03:12:22.179+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.223767, NULL, NULL, 6.835353, 10.110584);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (101, 'dlv_01m7kqvhg3e489rt04ta9wsjg4', 2, '2026-01-17 03:12:22.144+00', '2026-01-17 03:12:22.179+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.241339, NULL, NULL, 6.976979, 10.245897);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (100, 'dlv_01m7kqvhjge489rt1x2778ycrr', 1, '2026-01-17 03:12:22.144+00', '2026-01-17 03:12:22.227+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.252079, 8.618598, 5.903813, 16.942186, 32.243095);
INSERT INTO public.delivery_attempts OVERRIDING SYSTEM VALUE VALUES (102, 'dlv_01m7kqrpw5e489rrt3za2btppz', 1, '2026-01-17 03:12:22.144+00', '2026-01-17 03:12:22.227+00', '127.0.0.1', 503, 'HTTP_5XX', 'the endpoint answered 503', '\x756e617661696c61626c65', 0.257044, 6.796619, 20.913301, 3.559984, 34.247704);
INSERT INTO public.endpoint_look VALUES (true, 0);
INSERT INTO public.interviews VALUES ('int_01m7kqrmmse489rr8172w16gdq', 'inv_01m7kqrmmre489rr7h72gvz91t', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrmf0e489rr7dxpscj18q', 'cand_01m7kqrmmse489rr7rq51hgc5a', 'in.retry.after.two.receives@example.com', 'in.retry.after.two.receives@example.com', 'Ada', 'Lovelace', '_858kzuQLT43h42JtUn589IBCenfmmSi4L-mS2bmmJM', 'COMPLETED', false, '2026-02-17 03:10:46.936+00', '2026-01-17 03:10:46.936+00', '2026-01-17 03:10:47.825+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrnjre489rr9w1vq71bc1', 'inv_01m7kqrnjre489rr9d4n4rpaha', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrnjge489rr9203f7nsb7', 'cand_01m7kqrnjre489rr9mzr558x38', 'delivered.at.once@example.com', 'delivered.at.once@example.com', 'Ada', 'Lovelace', 'OhLiDvowymMLx_Fc9rSIZnUzx1J2BSsn3E3bhpM2PXU', 'COMPLETED', false, '2026-02-17 03:10:47.896+00', '2026-01-17 03:10:47.896+00', '2026-01-17 03:10:47.911+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrnnge489rrbpnx6sw3p0', 'inv_01m7kqrnnge489rrb517h05qmh', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrnm9e489rraye1155641', 'cand_01m7kqrnnge489rrba3ccr3xyh', 'delivered.after.a.retry@example.com', 'delivered.after.a.retry@example.com', 'Ada', 'Lovelace', 'ipuxnxDhHRRA6ShsmIkKBB2bn3D66yMOxRHfTGTnDDk', 'COMPLETED', false, '2026-02-17 03:10:47.984+00', '2026-01-17 03:10:47.984+00', '2026-01-17 03:10:48.008+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrnqme489rrddrqq22s33', 'inv_01m7kqrnqme489rrcyytwn514d', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrnq7e489rrchvx0bab52', 'cand_01m7kqrnqme489rrd4w0rx52ja', 'rejected@example.com', 'rejected@example.com', 'Ada', 'Lovelace', 'jFa05Wn1SlF6cdGGT17tGaKFrPXtDA1IEtPIvuPswZg', 'COMPLETED', false, '2026-02-17 03:10:48.052+00', '2026-01-17 03:10:48.052+00', '2026-01-17 03:10:48.123+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrnwte489rrf4d8spnkhg', 'inv_01m7kqrnwte489rremb1c8c4jk', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrnvme489rre8t5b83t3p', 'cand_01m7kqrnwte489rrey22xe012g', 'exhausted@example.com', 'exhausted@example.com', 'Ada', 'Lovelace', '8KNxEn6Ya_aVZgmyUqYCrxy5dusWZ3vEZIfCc9Ze54U', 'COMPLETED', false, '2026-02-17 03:10:48.218+00', '2026-01-17 03:10:48.218+00', '2026-01-17 03:10:48.276+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrpkje489rrgtrw863hqp', 'inv_01m7kqrpkje489rrgewkf8c7a3', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrpj4e489rrg421ygtnbw', 'cand_01m7kqrpkje489rrgkcam69bh1', 'exhausted.twice@example.com', 'exhausted.twice@example.com', 'Ada', 'Lovelace', 'skdr4wtoy9vf_0YP8ChPiareYy0MlPIEku3PYWv8GX8', 'COMPLETED', false, '2026-02-17 03:10:48.946+00', '2026-01-17 03:10:48.946+00', '2026-01-17 03:10:48.967+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrpnge489rrjkkhq4af98', 'inv_01m7kqrpnge489rrj6sg794ssa', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrpmxe489rrhvwfdc56f7', 'cand_01m7kqrpnge489rrj8hqxwx6nf', 'exhausted.rejected.exhausted@example.com', 'exhausted.rejected.exhausted@example.com', 'Ada', 'Lovelace', 'ctM2wLROvJbZfNv0y9BiVB-MOO8jFORBbavP_umuPoA', 'COMPLETED', false, '2026-02-17 03:10:49.008+00', '2026-01-17 03:10:49.008+00', '2026-01-17 03:10:49.029+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrpqje489rrmfa3a9j717', 'inv_01m7kqrpqje489rrkt2hfc21qx', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrpppe489rrkm12t7yr2h', 'cand_01m7kqrpqje489rrm1mhdsv4z6', 'redriven.and.delivered@example.com', 'redriven.and.delivered@example.com', 'Ada', 'Lovelace', 'wrzmj4qlPoGGGpEa7ieFLzbv9AegBdqURD2tneKTonU', 'COMPLETED', false, '2026-02-17 03:10:49.074+00', '2026-01-17 03:10:49.074+00', '2026-01-17 03:10:49.084+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrpr7e489rrp728ynpkpm', 'inv_01m7kqrpr7e489rrnpwt39wefr', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrpr3e489rrn8f4s3ydkn', 'cand_01m7kqrpr7e489rrnwqf34jj08', 'retried.and.delivered@example.com', 'retried.and.delivered@example.com', 'Ada', 'Lovelace', 'EZu9hroLE95GdLJNS5Kp6WXqv6ewY4OwKpnxjOw3AvQ', 'COMPLETED', false, '2026-02-17 03:10:49.095+00', '2026-01-17 03:10:49.095+00', '2026-01-17 03:10:49.105+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrpsne489rrqss6hms40d', 'inv_01m7kqrpsme489rrqe61hnzsr0', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrpsge489rrq2dx0h2k57', 'cand_01m7kqrpsne489rrqje33nzjch', 'retried.and.waiting.for.the.sweep@example.com', 'retried.and.waiting.for.the.sweep@example.com', 'Ada', 'Lovelace', 'ssE5ZkXpBgavFhciuJwYpvVHJPEuz_uOITO1RAv0dQI', 'COMPLETED', false, '2026-02-17 03:10:49.14+00', '2026-01-17 03:10:49.14+00', '2026-01-17 03:10:49.148+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrpvbe489rrshkfq2h8b1', 'inv_01m7kqrpvbe489rrs5g3n6f0r0', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrpv0e489rrrs6k49zhv8', 'cand_01m7kqrpvbe489rrsev1g3z7vx', 'running.in.its.second.round@example.com', 'running.in.its.second.round@example.com', 'Ada', 'Lovelace', 'AXsIwfx9bNRtIPHdGnJR7XG4PUYa4ru5FVGWem5iE-I', 'COMPLETED', false, '2026-02-17 03:10:49.195+00', '2026-01-17 03:10:49.195+00', '2026-01-17 03:10:49.214+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrpy7e489rrv8nasaekzv', 'inv_01m7kqrpy7e489rrtrdtvh35sn', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqrpxve489rrtj0dymr6ay', 'cand_01m7kqrpy7e489rrv0r58223s4', 'second.round.died.unnoticed@example.com', 'second.round.died.unnoticed@example.com', 'Ada', 'Lovelace', 'rnfLtqQWYDnexuaDBeJ-U4z9tcXEiSl4PWNna_Qp2uA', 'COMPLETED', false, '2026-02-17 03:10:49.287+00', '2026-01-17 03:10:49.287+00', '2026-01-17 03:10:49.305+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrr1he489rs4yhr502wk9', 'inv_01m7kqrr1he489rs48tp7x5gcr', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrr15e489rs46q3e0hedw', 'cand_01m7kqrr1he489rs4kkf3nsrea', 'died.before.any.attempt.then.retried@example.com', 'died.before.any.attempt.then.retried@example.com', 'Ada', 'Lovelace', 'DGsK4Qz1IXI1aRxH4TPP47wXWE89dxKDAIPo40Fbfck', 'COMPLETED', false, '2026-02-17 03:10:50.417+00', '2026-01-17 03:10:50.417+00', '2026-01-17 03:10:50.439+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqs0j5e489rs9q5jqs4zpy', 'inv_01m7kqs0j5e489rs93f48nt1sk', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqs0hbe489rs8wbf66sqej', 'cand_01m7kqs0j5e489rs9945yfzprr', 'webhook.disabled@example.com', 'webhook.disabled@example.com', 'Ada', 'Lovelace', 'QwlvJq-_UWz9My2aXx87QvzuE6ZKHMkKCy5AW3_f8O0', 'COMPLETED', false, '2026-02-17 03:10:59.141+00', '2026-01-17 03:10:59.141+00', '2026-01-17 03:10:59.174+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrq57e489rs2cm4fb1qqy', 'inv_01m7kqrq57e489rs1yc8w8eexq', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqrq52e489rs1jbcz71j4e', 'cand_01m7kqrq57e489rs211zc9zb07', 'without.an.image@example.com', 'without.an.image@example.com', 'Ada', 'Lovelace', 'YjLvZmYMA4QgZ5m2I-TzzZtUgkhC8UokX133aIwJ-RA', 'COMPLETED', false, '2026-02-17 03:10:49.511+00', '2026-01-17 03:10:49.511+00', '2026-01-17 03:10:49.519+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqrpzne489rrx0nj41e27r', 'inv_01m7kqrpzne489rrwqkbdmrnj2', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrpzbe489rrwez4vvd0xq', 'cand_01m7kqrpzne489rrwrnje27nbp', 'erased', 'erased:cand_01m7kqrpzne489rrwrnje27nbp', 'Erased', 'candidate', 'erased.int_01m7kqrpzne489rrx0nj41e27r', 'COMPLETED', true, '2026-02-17 03:10:49.333+00', '2026-01-17 03:10:49.333+00', '2026-01-17 03:10:50.277+00', '2026-01-17 03:10:50.277+00');
INSERT INTO public.interviews VALUES ('int_01m7kqrq1ce489rrywvgdp075y', 'inv_01m7kqrq1ce489rryd7s9h2sth', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrq14e489rry3amv4wm65', 'cand_01m7kqrq1ce489rrygm3bh4fqy', 'erased', 'erased:cand_01m7kqrq1ce489rrygm3bh4fqy', 'Erased', 'candidate', 'erased.int_01m7kqrq1ce489rrywvgdp075y', 'COMPLETED', true, '2026-02-17 03:10:49.388+00', '2026-01-17 03:10:49.388+00', '2026-01-17 03:10:50.337+00', '2026-01-17 03:10:50.337+00');
INSERT INTO public.interviews VALUES ('int_01m7kqrq24e489rs0kg2fy8r57', 'inv_01m7kqrq24e489rs01hhf7acg7', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqrq1ye489rrzzj9wqzhfm', 'cand_01m7kqrq24e489rs0d5c2rj8dh', 'erased', 'erased:cand_01m7kqrq24e489rs0d5c2rj8dh', 'Erased', 'candidate', 'erased.int_01m7kqrq24e489rs0kg2fy8r57', 'COMPLETED', true, '2026-02-17 03:10:49.412+00', '2026-01-17 03:10:49.412+00', '2026-01-17 03:10:50.377+00', '2026-01-17 03:10:50.377+00');
INSERT INTO public.interviews VALUES ('int_01m7kqs0q6e489rsbszvcp51e5', 'inv_01m7kqs0q5e489rsb95rabdyzk', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqs0q1e489rsb66k7atndc', 'cand_01m7kqs0q6e489rsbqgtxns238', 'network.errors@example.com', 'network.errors@example.com', 'Ada', 'Lovelace', 'dbB9rE_s8fPP86GxzC_fDhYV1MoAi__8OZwmhkTQ-ks', 'COMPLETED', false, '2026-02-17 03:10:59.301+00', '2026-01-17 03:10:59.301+00', '2026-01-17 03:10:59.311+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqs1fne489rsdkse71dm0v', 'inv_01m7kqs1fne489rsd4v306eevp', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqs1fce489rsczqkf2y4x2', 'cand_01m7kqs1fne489rsdek12h0amv', 'tls.errors@example.com', 'tls.errors@example.com', 'Ada', 'Lovelace', 'fm16CGlo_7wE3RO-weZWGrV9aBJEndy2KkIETun6jsw', 'COMPLETED', false, '2026-02-17 03:11:00.085+00', '2026-01-17 03:11:00.085+00', '2026-01-17 03:11:00.107+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqs29xe489rsfaww0ngvct', 'inv_01m7kqs29xe489rsex1er8bd6g', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqs29ne489rsehzcqmbg9n', 'cand_01m7kqs29xe489rsf329hne0zp', 'timeouts@example.com', 'timeouts@example.com', 'Ada', 'Lovelace', 'p3n4A0wR2ut5D0PNG_Lv5q5G9pIVdv1EQR8xlebAVEg', 'COMPLETED', false, '2026-02-17 03:11:00.925+00', '2026-01-17 03:11:00.925+00', '2026-01-17 03:11:00.946+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqspg2e489rsh3eb5ja9yp', 'inv_01m7kqspg2e489rsgmvmshsy18', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqspffe489rsgf862sqpr7', 'cand_01m7kqspg2e489rsgt3qdkkvge', 'timeouts.in.the.answer@example.com', 'timeouts.in.the.answer@example.com', 'Ada', 'Lovelace', 'zxN9umYgdLJvzbwpa7Q-A7r7U4ohnrNoah2Ir59ubHY', 'COMPLETED', false, '2026-02-17 03:11:21.602+00', '2026-01-17 03:11:21.602+00', '2026-01-17 03:11:21.626+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqv6jge489rsjyaebbydac', 'inv_01m7kqv6jge489rsjc8qybahz8', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqv6j7e489rsj49y0yxjd8', 'cand_01m7kqv6jge489rsjpgfmy12bg', 'buried.then.delivered@example.com', 'buried.then.delivered@example.com', 'Ada', 'Lovelace', 'VQ9svxPaj4MHMeG-VOxLffrUgePYtQwMqhXB8a-eTlU', 'COMPLETED', false, '2026-02-17 03:12:10.832+00', '2026-01-17 03:12:10.832+00', '2026-01-17 03:12:10.846+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqv91ve489rsmqd4en7fbw', 'inv_01m7kqv91ve489rsm3sj2je965', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqv91me489rskxm1vcr5e1', 'cand_01m7kqv91ve489rsmczecnpj7r', 'died.in.its.fourth.receive@example.com', 'died.in.its.fourth.receive@example.com', 'Ada', 'Lovelace', 'IVxtO-n7iFdOrlRJIUc8dyzcxYwJZOcvjk7r7SdSE2E', 'COMPLETED', false, '2026-02-17 03:12:13.371+00', '2026-01-17 03:12:13.371+00', '2026-01-17 03:12:13.379+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqv92me489rspc76xxj96t', 'inv_01m7kqv92me489rsnx13x4rycx', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqv92de489rsnhsq07q176', 'cand_01m7kqv92me489rsp1rv0qjy60', 'died.before.any.attempt@example.com', 'died.before.any.attempt@example.com', 'Ada', 'Lovelace', 'B00rcb0wfvzv9RcS9aeS2co3rLlcC9EZAPQDb0bHZmw', 'COMPLETED', false, '2026-02-17 03:12:13.396+00', '2026-01-17 03:12:13.396+00', '2026-01-17 03:12:13.403+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvh3ae489rsrn369czrwt', 'inv_01m7kqvh3ae489rsr2xny5crff', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqvh2se489rsqvabba27zw', 'cand_01m7kqvh3ae489rsre8v3xpaf8', 'exhausted.its.job.not.yet.dead@example.com', 'exhausted.its.job.not.yet.dead@example.com', 'Ada', 'Lovelace', 'lZWojmC82DfBaZMHhGVPJaoWJEzOoNXNsHA6cG9EUt0', 'COMPLETED', false, '2026-02-17 03:12:21.609+00', '2026-01-17 03:12:21.609+00', '2026-01-17 03:12:21.627+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvh4ae489rst8a1z3rme5', 'inv_01m7kqvh4ae489rsswt3s5a01p', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqvh47e489rsshpp164fvd', 'cand_01m7kqvh4ae489rst1emz4046q', 'retried.its.first.job.not.yet.dead@example.com', 'retried.its.first.job.not.yet.dead@example.com', 'Ada', 'Lovelace', 'QJzVoKdr4jAj8Wg0WJ7p64OWrlYo4aSpWnS4RvN-Hfc', 'COMPLETED', false, '2026-02-17 03:12:21.642+00', '2026-01-17 03:12:21.642+00', '2026-01-17 03:12:21.648+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvh5te489rsw1hsewg2e9', 'inv_01m7kqvh5te489rsvpbnad4fww', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqvh5je489rsvedtgfprxj', 'cand_01m7kqvh5te489rsvysy672xzt', 'running@example.com', 'running@example.com', 'Ada', 'Lovelace', '5Ha9yKic9_F9RCbuquXuBWozuk_wj0NFRput_pEheeY', 'COMPLETED', false, '2026-02-17 03:12:21.69+00', '2026-01-17 03:12:21.69+00', '2026-01-17 03:12:21.697+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvh6pe489rsxtfq8p11af', 'inv_01m7kqvh6pe489rsxcbqhhxqg4', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqvh6be489rsx12j7t4g3a', 'cand_01m7kqvh6pe489rsxmq1vse2wn', 'running.in.the.other.organization@example.com', 'running.in.the.other.organization@example.com', 'Ada', 'Lovelace', 'Ni9PBknRKjzrcCSuhXs0MAYCgZXRcsAai4xZ0QboI74', 'COMPLETED', false, '2026-02-17 03:12:21.718+00', '2026-01-17 03:12:21.718+00', '2026-01-17 03:12:21.74+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvhete489rszqx3r4j65f', 'inv_01m7kqvhete489rsz2gmshhtqy', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqvhbhe489rsyspch3mbtk', 'cand_01m7kqvhete489rsz8yzgb6z23', 'running.in.its.fourth.receive@example.com', 'running.in.its.fourth.receive@example.com', 'Ada', 'Lovelace', 'qnw0k39FPJE9t5Yenz8pgiofGu8i5A-6IG1ii8b_WQg', 'COMPLETED', false, '2026-02-17 03:12:21.978+00', '2026-01-17 03:12:21.978+00', '2026-01-17 03:12:22.016+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvhhne489rt1c3r9n55bt', 'inv_01m7kqvhhme489rt0t4ddeh8ft', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqvhh5e489rt0m4hvz4zrv', 'cand_01m7kqvhhne489rt14e24cbm2d', 'in.retry.after.one.receive@example.com', 'in.retry.after.one.receive@example.com', 'Ada', 'Lovelace', '4WehavhdbII999jzyzOA3NYkGOdKEvBXPy-dugL4Pmo', 'COMPLETED', false, '2026-02-17 03:12:22.068+00', '2026-01-17 03:12:22.068+00', '2026-01-17 03:12:22.093+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvjsqe489rt401awnh7wr', 'inv_01m7kqvjsqe489rt3pnyy0em9n', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqvjsfe489rt3f09dqefe8', 'cand_01m7kqvjsqe489rt3w116rp33j', 'queued@example.com', 'queued@example.com', 'Ada', 'Lovelace', 'l2bdRlAHk9epTd0Sz9pqZbY5xyIGJMSyUZ6-Zoz86og', 'COMPLETED', false, '2026-02-17 03:12:23.351+00', '2026-01-17 03:12:23.351+00', '2026-01-17 03:12:23.371+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvjv5e489rt5wg99b2nxz', 'inv_01m7kqvjv5e489rt5bzxwkc7ar', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'tpl_01m7kqvjtxe489rt56t7nxc55m', 'cand_01m7kqvjv5e489rt5q9jpvs3yg', 'queued.in.the.other.organization@example.com', 'queued.in.the.other.organization@example.com', 'Ada', 'Lovelace', 'W4AuuVrP12SX8SzoXyVjaIMzRXCmuAfIdtJx3JWdgrw', 'COMPLETED', false, '2026-02-17 03:12:23.397+00', '2026-01-17 03:12:23.397+00', '2026-01-17 03:12:23.407+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvjvse489rt7nk2crrf7v', 'inv_01m7kqvjvse489rt76rb095fnx', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqvjvqe489rt6vr7nzjm2m', 'cand_01m7kqvjvse489rt78m8cqjh9h', 'not.enqueued@example.com', 'not.enqueued@example.com', 'Ada', 'Lovelace', 'MEJo52FgviZpFxJe1a-ko_AQkcgFoyYiha5xfdlVDCU', 'COMPLETED', false, '2026-02-17 03:12:23.417+00', '2026-01-17 03:12:23.417+00', '2026-01-17 03:12:23.424+00', NULL);
INSERT INTO public.interviews VALUES ('int_01m7kqvjwje489rt96hkh6vb8q', 'inv_01m7kqvjwhe489rt8nbpvh8a93', 'org_01m7kqrm4fe489rr6athmvhjp8', 'tpl_01m7kqvjw6e489rt8ceqv6tn3f', 'cand_01m7kqvjwje489rt8xn8zg15tg', 'never.enqueued@example.com', 'never.enqueued@example.com', 'Ada', 'Lovelace', '3Fz3UkSQIdJdAipV1YHrvSp6hX34-1_TYbWzfl-sB4U', 'COMPLETED', false, '2026-02-17 03:12:23.441+00', '2026-01-17 03:12:23.441+00', '2026-01-17 03:12:23.468+00', NULL);
INSERT INTO public.organizations VALUES ('org_01m7kqrm4fe489rr6athmvhjp8', 'Acme', true, '2026-01-17 03:10:46.414+00');
INSERT INTO public.organizations VALUES ('org_01m7kqrm5me489rr6wbnwzmkmn', 'Globex', true, '2026-01-17 03:10:46.452+00');
INSERT INTO public.rate_windows VALUES ('key_01m7kqrm5se489rr77sqhzd613', 1000000000, -999980);
INSERT INTO public.rate_windows VALUES ('key_01m7kqrm4ke489rr6jxm8ncvn9', 1000000000, -999950);
INSERT INTO public.result_positions VALUES ('org_01m7kqrm5me489rr6wbnwzmkmn', 10);
INSERT INTO public.result_positions VALUES ('org_01m7kqrm4fe489rr6athmvhjp8', 25);
INSERT INTO public.results VALUES ('res_01m7kqrnh0e489rr88a04pzadk', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrmmse489rr8172w16gdq', 'tpl_01m7kqrmf0e489rr7dxpscj18q', 1, 'r4ol6ywwR7RUZ7ue9G-mx-bNlMfB4zToMfwSxW3wnLk', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:47.825+00', '2026-01-17 03:10:47.825+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrnkae489rra512pez0q7', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrnjre489rr9w1vq71bc1', 'tpl_01m7kqrnjge489rr9203f7nsb7', 2, 'qNrqIX4QJgqjg3tNes7tNmlkOhKqVTFEi4KMWFFl1R8', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:47.911+00', '2026-01-17 03:10:47.911+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrnpce489rrbxy7atmryd', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrnnge489rrbpnx6sw3p0', 'tpl_01m7kqrnm9e489rraye1155641', 3, 'rJulZfGFD9nHHdxJj12kuujxx__2gr1rsMomvIZnpGY', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:48.008+00', '2026-01-17 03:10:48.008+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrnt9e489rrdk25r889ht', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrnqme489rrddrqq22s33', 'tpl_01m7kqrnq7e489rrchvx0bab52', 4, '3TQE9cqhFevKTq-hvfYypCvR8qjJPQTRQ_olkUEDRyM', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:48.123+00', '2026-01-17 03:10:48.123+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrnyye489rrfba0wwfqe7', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrnwte489rrf4d8spnkhg', 'tpl_01m7kqrnvme489rre8t5b83t3p', 5, 'tKWo5X8at0Pkywcs6hSuHEA58dmBg-CDpuATPhYJ6ss', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:48.276+00', '2026-01-17 03:10:48.276+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrpmce489rrh369699yf6', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrpkje489rrgtrw863hqp', 'tpl_01m7kqrpj4e489rrg421ygtnbw', 6, 'NZ7eF-QhqustR00WTO-Bgk1QXszJJ2Ag-v04kk99Mv4', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:48.967+00', '2026-01-17 03:10:48.967+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrpp7e489rrjwb7x77ehg', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrpnge489rrjkkhq4af98', 'tpl_01m7kqrpmxe489rrhvwfdc56f7', 7, 'ZQZwVanjGFcYi0XGAvaSs6nKEdZiTv1Ncx4AhB0WZmc', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.029+00', '2026-01-17 03:10:49.029+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrpqxe489rrmpgfbkrgzh', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrpqje489rrmfa3a9j717', 'tpl_01m7kqrpppe489rrkm12t7yr2h', 8, 'BbDpt9rfimd94JdAcfbLX5nm2_bZ-3XytYeo97FTRc4', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.084+00', '2026-01-17 03:10:49.084+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrprne489rrpf0kwty0dg', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrpr7e489rrp728ynpkpm', 'tpl_01m7kqrpr3e489rrn8f4s3ydkn', 9, 'aSaQyUxGoHckDZjr0poX5LBANOPXGO8ceNItQ5AdMJg', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.105+00', '2026-01-17 03:10:49.105+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrpt1e489rrr3rpmhcb92', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrpsne489rrqss6hms40d', 'tpl_01m7kqrpsge489rrq2dx0h2k57', 10, 'o6fXI0Y-RL7QjUfkai0R3oUnmL8jGPm_5RtcPrNLU_U', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.148+00', '2026-01-17 03:10:49.148+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrpw5e489rrsy0p7btntr', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrpvbe489rrshkfq2h8b1', 'tpl_01m7kqrpv0e489rrrs6k49zhv8', 11, 'Yj02wA4hMPG0yziE0-ffJfnf32y9X-PU-GAkyn6AUnw', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.214+00', '2026-01-17 03:10:49.214+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrpyve489rrvqym1yt3he', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqrpy7e489rrv8nasaekzv', 'tpl_01m7kqrpxve489rrtj0dymr6ay', 1, 's6Td3aOFPKaTY9ShL6p2zH-DruzgiGwYnGGmn6Ij9TE', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.305+00', '2026-01-17 03:10:49.305+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrq1pe489rrz0k1ry49aa', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrq1ce489rrywvgdp075y', 'tpl_01m7kqrq14e489rry3amv4wm65', 13, 'erased.res_01m7kqrq1pe489rrz0k1ry49aa', '{"technical_score":82,"technical_feedback":"","soft_skills_score":74.5,"soft_skills_feedback":"","language_proficiency":91,"language_proficiency_feedback":"","weighted_score":81.25,"feedback":"","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.397+00', '2026-01-17 03:10:49.397+00', NULL);
INSERT INTO public.results VALUES ('res_01m7kqrq47e489rs0tdpd9m6eb', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrq24e489rs0kg2fy8r57', 'tpl_01m7kqrq1ye489rrzzj9wqzhfm', 14, 'erased.res_01m7kqrq47e489rs0tdpd9m6eb', '{"technical_score":82,"technical_feedback":"","soft_skills_score":74.5,"soft_skills_feedback":"","language_proficiency":91,"language_proficiency_feedback":"","weighted_score":81.25,"feedback":"","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.474+00', '2026-01-17 03:10:49.474+00', NULL);
INSERT INTO public.results VALUES ('res_01m7kqsph1e489rshe05c7xzn0', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqspg2e489rsh3eb5ja9yp', 'tpl_01m7kqspffe489rsgf862sqpr7', 7, 'h3pgTrrfymNmdlbHX_JKRemO9YJW7wsrFW0gl_zvta8', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:11:21.626+00', '2026-01-17 03:11:21.626+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrq5he489rs2nz265nq3s', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqrq57e489rs2cm4fb1qqy', 'tpl_01m7kqrq52e489rs1jbcz71j4e', 2, 'ctxU9QJRN6T8PvIVp0kEdvKJyrxf_F5LYrcdgwJxgkc', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.519+00', '2026-01-17 03:10:49.519+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqs0khe489rs9sdsjhvjmn', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqs0j5e489rs9q5jqs4zpy', 'tpl_01m7kqs0hbe489rs8wbf66sqej', 3, 'Ay0OS6jEqs1kSZguyV2lDji4N2VXDZjZA5n0_4B3Fgc', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:59.174+00', '2026-01-17 03:10:59.174+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqs0qme489rsc71de5gr20', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqs0q6e489rsbszvcp51e5', 'tpl_01m7kqs0q1e489rsb66k7atndc', 4, 'BPnn4ORzlfjabL__uxEtPc1D4o_j_ayJG83Q4m5mCUI', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:59.311+00', '2026-01-17 03:10:59.311+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqs1gje489rsdvvb65e4ag', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqs1fne489rsdkse71dm0v', 'tpl_01m7kqs1fce489rsczqkf2y4x2', 5, '7_dY6JyNQQ22LQoOcdj706NLD8rXsZbi2O0WeWiV25g', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:11:00.107+00', '2026-01-17 03:11:00.107+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqs2ame489rsfgq1pfbsmz', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqs29xe489rsfaww0ngvct', 'tpl_01m7kqs29ne489rsehzcqmbg9n', 6, 'xjRVPa78lt3lYsXRo57cvpydYWCxj6qtXldshSQa5bk', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:11:00.946+00', '2026-01-17 03:11:00.946+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqrq08e489rrx9rdsgcah1', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrpzne489rrx0nj41e27r', 'tpl_01m7kqrpzbe489rrwez4vvd0xq', 12, 'erased.res_01m7kqrq08e489rrx9rdsgcah1', '{"technical_score":82,"technical_feedback":"","soft_skills_score":74.5,"soft_skills_feedback":"","language_proficiency":91,"language_proficiency_feedback":"","weighted_score":81.25,"feedback":"","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:49.351+00', '2026-01-17 03:10:49.351+00', NULL);
INSERT INTO public.results VALUES ('res_01m7kqrr2de489rs56fkecsf15', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqrr1he489rs4yhr502wk9', 'tpl_01m7kqrr15e489rs46q3e0hedw', 15, 'az7KvAZsLUaLSVhktYTvlZCUD8xzRa8IWLO7v9QnNfs', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:10:50.439+00', '2026-01-17 03:10:50.439+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqv6k0e489rsk5v7408xme', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqv6jge489rsjyaebbydac', 'tpl_01m7kqv6j7e489rsj49y0yxjd8', 8, '5XN828AthPk5xL8QbRg7556bl-gY-uFeRtmUMFjHfKE', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:10.846+00', '2026-01-17 03:12:10.846+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvh9pe489rsy1rvb12fnf', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqvh6pe489rsxtfq8p11af', 'tpl_01m7kqvh6be489rsx12j7t4g3a', 9, '2NU4lS1P4N0RIfcuZjKIzTy0VdMRhSO495YrDeCHFJo', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:21.74+00', '2026-01-17 03:12:21.74+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqv928e489rsmtyt4q5gnt', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqv91ve489rsmqd4en7fbw', 'tpl_01m7kqv91me489rskxm1vcr5e1', 16, '2yV2wmD0LJn0BgAE81GNKtC7MTaT0TUZlZiHTdNPBXI', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:13.379+00', '2026-01-17 03:12:13.379+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqv92we489rsppqjzrb4hy', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqv92me489rspc76xxj96t', 'tpl_01m7kqv92de489rsnhsq07q176', 17, '9nZpcFv1djRm4gue2aSWlqiVGVZ7xtiT79PTuWhnZbM', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:13.403+00', '2026-01-17 03:12:13.403+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvh3we489rsrsp47j7n0b', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqvh3ae489rsrn369czrwt', 'tpl_01m7kqvh2se489rsqvabba27zw', 18, 'zCWZ6-PR-FtMwU45b5Vem2plwLBjHu3bWjkeTgm0B9U', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:21.627+00', '2026-01-17 03:12:21.627+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvh4he489rstkfynt86hz', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqvh4ae489rst8a1z3rme5', 'tpl_01m7kqvh47e489rsshpp164fvd', 19, 'LQy-TZEAo2Jy6dnQYaHoYpAnRchnyDHn4aYd3IQKdZQ', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:21.648+00', '2026-01-17 03:12:21.648+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvh62e489rswf29fs4hfx', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqvh5te489rsw1hsewg2e9', 'tpl_01m7kqvh5je489rsvedtgfprxj', 20, 'EhT-iD9hRY0dGSU04n8M3st0KTdNtMEZTWaxoL8dtoQ', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:21.697+00', '2026-01-17 03:12:21.697+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvhg3e489rsztcxxwx2m9', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqvhete489rszqx3r4j65f', 'tpl_01m7kqvhbhe489rsyspch3mbtk', 21, '1APk3kZfaPakg-vTlh9BhELF1SaX_u2yi0RmjJEwKQA', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:22.016+00', '2026-01-17 03:12:22.016+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvhjge489rt1k1845xedk', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqvhhne489rt1c3r9n55bt', 'tpl_01m7kqvhh5e489rt0m4hvz4zrv', 22, 'ZM4fTpQK5fq6KSS-H5Z0WCrI5t6WJXQw5VGi1_Y4wX8', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:22.093+00', '2026-01-17 03:12:22.093+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvjthe489rt48m6rnxaf9', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqvjsqe489rt401awnh7wr', 'tpl_01m7kqvjsfe489rt3f09dqefe8', 23, 'H73tQepwgh-nMwl9rC3Ofj_J5MiE56pMJlZH-QlJWyE', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:23.371+00', '2026-01-17 03:12:23.371+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvjvke489rt66f00am9f1', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'int_01m7kqvjv5e489rt5wg99b2nxz', 'tpl_01m7kqvjtxe489rt56t7nxc55m', 10, 'q9o8Fl5MxEmYhDPsW32cOEM15KZfjmA0WWUlfWbJ1Wg', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:23.407+00', '2026-01-17 03:12:23.407+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvjw0e489rt7s99zga3rh', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqvjvse489rt7nk2crrf7v', 'tpl_01m7kqvjvqe489rt6vr7nzjm2m', 24, 'btymMSJ1MV2A6Eno-1EOc0EfgoE31A1oHr38k051bH8', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:23.424+00', '2026-01-17 03:12:23.424+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.results VALUES ('res_01m7kqvjxde489rt996jb07z8y', 'org_01m7kqrm4fe489rr6athmvhjp8', 'int_01m7kqvjwje489rt96hkh6vb8q', 'tpl_01m7kqvjw6e489rt8ceqv6tn3f', 25, 'XWasFEoH1uYkYYkZhpxwFasv-WiSVfDUbb9a3nbPELU', '{"technical_score":82,"technical_feedback":"-","soft_skills_score":74.5,"soft_skills_feedback":"-","language_proficiency":91,"language_proficiency_feedback":"-","weighted_score":81.25,"feedback":"-","highlights":[],"suggestions":[],"duration":2534}', 81.25, NULL, '2026-01-17 03:12:23.468+00', '2026-01-17 03:12:23.468+00', '\x1bb56afcd72b4fcc0c386587f152d08cb330981e4447004342510ce70629bfcc');
INSERT INTO public.schema_migrations VALUES ('0001_partner_api.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.schema_migrations VALUES ('0002_deliveries.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.schema_migrations VALUES ('0003_members.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.schema_migrations VALUES ('0004_settings.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.schema_migrations VALUES ('0005_traces.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.schema_migrations VALUES ('0006_keeping.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.schema_migrations VALUES ('0007_delivery_interviews.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.schema_migrations VALUES ('0008_small_images.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.schema_migrations VALUES ('0009_room_for_status.sql', '2026-01-17 03:10:43.8949+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrmf0e489rr7dxpscj18q', 'org_01m7kqrm4fe489rr6athmvhjp8', 'In retry after two receives', '-', NULL, false, NULL, '2026-01-17 03:10:46.752+00', '2026-01-17 03:10:46.752+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrnjge489rr9203f7nsb7', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Delivered at once', '-', NULL, false, NULL, '2026-01-17 03:10:47.888+00', '2026-01-17 03:10:47.888+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrnm9e489rraye1155641', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Delivered after a retry', '-', NULL, false, NULL, '2026-01-17 03:10:47.945+00', '2026-01-17 03:10:47.945+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrnq7e489rrchvx0bab52', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Rejected', '-', NULL, false, NULL, '2026-01-17 03:10:48.039+00', '2026-01-17 03:10:48.039+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrnvme489rre8t5b83t3p', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Exhausted', '-', NULL, false, NULL, '2026-01-17 03:10:48.18+00', '2026-01-17 03:10:48.18+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrpj4e489rrg421ygtnbw', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Exhausted twice', '-', NULL, false, NULL, '2026-01-17 03:10:48.9+00', '2026-01-17 03:10:48.9+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrpmxe489rrhvwfdc56f7', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Exhausted, rejected, exhausted', '-', NULL, false, NULL, '2026-01-17 03:10:48.989+00', '2026-01-17 03:10:48.989+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrpppe489rrkm12t7yr2h', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Redriven and delivered', '-', NULL, false, NULL, '2026-01-17 03:10:49.046+00', '2026-01-17 03:10:49.046+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrpr3e489rrn8f4s3ydkn', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Retried and delivered', '-', NULL, false, NULL, '2026-01-17 03:10:49.091+00', '2026-01-17 03:10:49.091+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrpsge489rrq2dx0h2k57', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Retried and waiting for the sweep', '-', NULL, false, NULL, '2026-01-17 03:10:49.136+00', '2026-01-17 03:10:49.136+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrpv0e489rrrs6k49zhv8', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Running in its second round', '-', NULL, false, NULL, '2026-01-17 03:10:49.184+00', '2026-01-17 03:10:49.184+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrpxve489rrtj0dymr6ay', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Second round died unnoticed', '-', NULL, false, NULL, '2026-01-17 03:10:49.275+00', '2026-01-17 03:10:49.275+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrpzbe489rrwez4vvd0xq', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Erased after it died', '-', NULL, false, NULL, '2026-01-17 03:10:49.323+00', '2026-01-17 03:10:49.323+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrq14e489rry3amv4wm65', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Erased after it arrived', '-', NULL, false, NULL, '2026-01-17 03:10:49.38+00', '2026-01-17 03:10:49.38+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrq1ye489rrzzj9wqzhfm', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Erased while it waited', '-', NULL, false, NULL, '2026-01-17 03:10:49.406+00', '2026-01-17 03:10:49.406+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrq52e489rs1jbcz71j4e', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Without an image', '-', NULL, false, NULL, '2026-01-17 03:10:49.506+00', '2026-01-17 03:10:49.506+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqrr15e489rs46q3e0hedw', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Died before any attempt, then retried', '-', NULL, false, NULL, '2026-01-17 03:10:50.405+00', '2026-01-17 03:10:50.405+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqs0hbe489rs8wbf66sqej', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Webhook disabled', '-', NULL, false, NULL, '2026-01-17 03:10:59.115+00', '2026-01-17 03:10:59.115+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqs0q1e489rsb66k7atndc', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Network errors', '-', NULL, false, NULL, '2026-01-17 03:10:59.297+00', '2026-01-17 03:10:59.297+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqs1fce489rsczqkf2y4x2', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'TLS errors', '-', NULL, false, NULL, '2026-01-17 03:11:00.076+00', '2026-01-17 03:11:00.076+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqs29ne489rsehzcqmbg9n', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Timeouts', '-', NULL, false, NULL, '2026-01-17 03:11:00.917+00', '2026-01-17 03:11:00.917+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqspffe489rsgf862sqpr7', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Timeouts in the answer', '-', NULL, false, NULL, '2026-01-17 03:11:21.583+00', '2026-01-17 03:11:21.583+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqv6j7e489rsj49y0yxjd8', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Buried, then delivered', '-', NULL, false, NULL, '2026-01-17 03:12:10.823+00', '2026-01-17 03:12:10.823+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqv91me489rskxm1vcr5e1', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Died in its fourth receive', '-', NULL, false, NULL, '2026-01-17 03:12:13.364+00', '2026-01-17 03:12:13.364+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqv92de489rsnhsq07q176', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Died before any attempt', '-', NULL, false, NULL, '2026-01-17 03:12:13.389+00', '2026-01-17 03:12:13.389+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvh2se489rsqvabba27zw', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Exhausted, its job not yet dead', '-', NULL, false, NULL, '2026-01-17 03:12:21.593+00', '2026-01-17 03:12:21.593+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvh47e489rsshpp164fvd', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Retried, its first job not yet dead', '-', NULL, false, NULL, '2026-01-17 03:12:21.639+00', '2026-01-17 03:12:21.639+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvh5je489rsvedtgfprxj', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Running', '-', NULL, false, NULL, '2026-01-17 03:12:21.682+00', '2026-01-17 03:12:21.682+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvh6be489rsx12j7t4g3a', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Running in the other organization', '-', NULL, false, NULL, '2026-01-17 03:12:21.707+00', '2026-01-17 03:12:21.707+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvhbhe489rsyspch3mbtk', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Running in its fourth receive', '-', NULL, false, NULL, '2026-01-17 03:12:21.873+00', '2026-01-17 03:12:21.873+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvhh5e489rt0m4hvz4zrv', 'org_01m7kqrm4fe489rr6athmvhjp8', 'In retry after one receive', '-', NULL, false, NULL, '2026-01-17 03:12:22.053+00', '2026-01-17 03:12:22.053+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvjsfe489rt3f09dqefe8', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Queued', '-', NULL, false, NULL, '2026-01-17 03:12:23.343+00', '2026-01-17 03:12:23.343+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvjtxe489rt56t7nxc55m', 'org_01m7kqrm5me489rr6wbnwzmkmn', 'Queued in the other organization', '-', NULL, false, NULL, '2026-01-17 03:12:23.389+00', '2026-01-17 03:12:23.389+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvjvqe489rt6vr7nzjm2m', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Not enqueued', '-', NULL, false, NULL, '2026-01-17 03:12:23.415+00', '2026-01-17 03:12:23.415+00');
INSERT INTO public.templates VALUES ('tpl_01m7kqvjw6e489rt8ceqv6tn3f', 'org_01m7kqrm4fe489rr6athmvhjp8', 'Never enqueued', '-', NULL, false, NULL, '2026-01-17 03:12:23.43+00', '2026-01-17 03:12:23.43+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrmmse489rr8172w16gdq', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '0d9aea0d-6730-46dc-ac41-15f6dba77f10', '{"ok": true}', '2026-01-17 03:10:46.984+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrnjre489rr9w1vq71bc1', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'bf370085-236f-4b5c-a5b3-12191c46835d', '{"ok": true}', '2026-01-17 03:10:47.903+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrnnge489rrbpnx6sw3p0', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '973353e3-8de1-4e27-a25d-1bb8820e024f', '{"ok": true}', '2026-01-17 03:10:48+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrnqme489rrddrqq22s33', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'f75d91c0-0d87-4c0c-8797-7780e726f938', '{"ok": true}', '2026-01-17 03:10:48.086+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrnwte489rrf4d8spnkhg', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'c12b2703-c02b-4324-bf81-740120b903ab', '{"ok": true}', '2026-01-17 03:10:48.247+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrpkje489rrgtrw863hqp', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'f9770876-6025-4e55-907b-828e60bce0c7', '{"ok": true}', '2026-01-17 03:10:48.959+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrpnge489rrjkkhq4af98', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '34cb0ca1-bf0b-42dd-abad-c604b29e2d91', '{"ok": true}', '2026-01-17 03:10:49.012+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrpqje489rrmfa3a9j717', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '20bee32c-4e00-486d-adb1-8c33d25a853c', '{"ok": true}', '2026-01-17 03:10:49.081+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrr1he489rs4yhr502wk9', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '15416503-b9f3-4622-b037-521b266ab353', '{"ok": true}', '2026-01-17 03:10:50.424+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrpr7e489rrp728ynpkpm', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '2823680c-e382-4a31-a677-c39bb1d8a2d5', '{"ok": true}', '2026-01-17 03:10:49.098+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrpvbe489rrshkfq2h8b1', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'eee27c12-359b-4c73-a4d5-aae13132b988', '{"ok": true}', '2026-01-17 03:10:49.204+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrpy7e489rrv8nasaekzv', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '1f8d856d-404e-4ba3-82bd-557b9c4f5e1e', '{"ok": true}', '2026-01-17 03:10:49.298+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqv91ve489rsmqd4en7fbw', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'a9fa9890-4368-4bd2-a2a8-1bedb1e2ba86', '{"ok": true}', '2026-01-17 03:12:13.375+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqspg2e489rsh3eb5ja9yp', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '06888fa7-d2f5-4dbb-9839-8437a2c3be85', '{"ok": true}', '2026-01-17 03:11:21.606+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqv92me489rspc76xxj96t', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '03c3021a-54b5-463e-a426-ced745e23b82', '{"ok": true}', '2026-01-17 03:12:13.401+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvh3ae489rsrn369czrwt', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '328e443f-f124-49b3-a852-e1a09e63da86', '{"ok": true}', '2026-01-17 03:12:21.624+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqrpsne489rrqss6hms40d', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'dda284da-0c4e-4d67-adea-d48c275d17b9', '{"ok": true}', '2026-01-17 03:10:49.144+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqs0j5e489rs9q5jqs4zpy', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'b60ef44c-67ac-43bb-976a-8c710a408284', '{"ok": true}', '2026-01-17 03:10:59.148+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqs0q6e489rsbszvcp51e5', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'a4a83825-e6a8-486d-a161-5bef7c3e4ecc', '{"ok": true}', '2026-01-17 03:10:59.305+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqs1fne489rsdkse71dm0v', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '38159027-2c94-4b6b-b6a7-cb41d716c7c2', '{"ok": true}', '2026-01-17 03:11:00.095+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqs29xe489rsfaww0ngvct', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'ea9f7896-4faa-4247-a6d0-d83e5e61490e', '{"ok": true}', '2026-01-17 03:11:00.931+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqv6jge489rsjyaebbydac', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '6ff2f155-7e4a-4446-af13-df21f514f987', '{"ok": true}', '2026-01-17 03:12:10.838+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvh4ae489rst8a1z3rme5', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'a0ba3970-a1f9-456b-9300-06b6db5bc3aa', '{"ok": true}', '2026-01-17 03:12:21.646+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvh5te489rsw1hsewg2e9', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '8a056e54-917b-4ae1-9a1f-8435a38fea73', '{"ok": true}', '2026-01-17 03:12:21.694+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvhete489rszqx3r4j65f', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '7aa1bb6a-94f7-4093-bb9c-b22e3d172434', '{"ok": true}', '2026-01-17 03:12:21.997+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvhhne489rt1c3r9n55bt', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'e2f1064b-3d9b-449c-b846-964780d6c7dd', '{"ok": true}', '2026-01-17 03:12:22.079+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvjsqe489rt401awnh7wr', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '52f7c101-f51e-4faa-b657-4bf01525d1bf', '{"ok": true}', '2026-01-17 03:12:23.359+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvjv5e489rt5wg99b2nxz', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'c9556fe4-1100-46b8-86b9-16dc85f33456', '{"ok": true}', '2026-01-17 03:12:23.401+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvjvse489rt7nk2crrf7v', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '7d163588-8a95-4a33-ae13-903ba97bc67c', '{"ok": true}', '2026-01-17 03:12:23.419+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvh6pe489rsxtfq8p11af', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', 'dc8a3df0-800c-4e40-a836-c13892680278', '{"ok": true}', '2026-01-17 03:12:21.73+00');
INSERT INTO public.thumbnails VALUES ('int_01m7kqvjwje489rt96hkh6vb8q', 633, '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAQABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCTFGKfijFBJ//Z', '0afcebe1-1087-40ba-b927-3e8a856fec33', '{"ok": true}', '2026-01-17 03:12:23.462+00');
INSERT INTO public.webhook_endpoints VALUES ('org_01m7kqrm4fe489rr6athmvhjp8', 'https://acme.hooks.example.com:37411/events/1', true, '\xc36353a2ceddf7c0319cd680c90df49442a6b63736d96f4308f5db28b3541127527a0535f407f18eb87c6ecc4e75b02887fc9413a4288bd3c5e1673332ff86a7ffbdd16e02f38d86d8f29dd93c', '2026-01-17 03:10:46.433+00', '2026-01-17 03:10:46.433+00');
INSERT INTO public.webhook_endpoints VALUES ('org_01m7kqrm5me489rr6wbnwzmkmn', 'https://globex.hooks.example.com:37411/events/2', true, '\x736e2b6b31f545d436124d1d821fa53ae19ad156af3e6ea9a543d8ffffc1f0e0ee7932b9822401b6b39835417ebfe39769f013199d4e92c734cd54ee58fdf01a00cae39f76174b6f8d2ba98131', '2026-01-17 03:10:46.461+00', '2026-01-17 03:10:59.278+00');
SELECT pg_catalog.setval('public.delivery_attempts_id_seq', 105, true);
ALTER TABLE ONLY pgboss.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);
ALTER TABLE ONLY pgboss.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id) WITH (fillfactor='50');
ALTER TABLE ONLY pgboss.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (child_name, child_id, parent_name, parent_id);
ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);
ALTER TABLE ONLY pgboss.queue_stats
    ADD CONSTRAINT queue_stats_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.queue_stats_20260117
    ADD CONSTRAINT queue_stats_20260117_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.queue_stats_20260118
    ADD CONSTRAINT queue_stats_20260118_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);
ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);
ALTER TABLE ONLY pgboss.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY pgboss.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.activity
    ADD CONSTRAINT activity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY public.candidates
    ADD CONSTRAINT candidates_organization_id_email_key_key UNIQUE (organization_id, email_key);
ALTER TABLE ONLY public.candidates
    ADD CONSTRAINT candidates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.check_windows
    ADD CONSTRAINT check_windows_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id) WITH (fillfactor='50');
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_result_id_key UNIQUE (result_id) WITH (fillfactor='50');
ALTER TABLE ONLY public.delivery_attempts
    ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.delivery_half_hours
    ADD CONSTRAINT delivery_half_hours_pkey PRIMARY KEY (organization_id, at);
ALTER TABLE ONLY public.endpoint_look
    ADD CONSTRAINT endpoint_look_pkey PRIMARY KEY (singleton);
ALTER TABLE ONLY public.endpoint_states
    ADD CONSTRAINT endpoint_states_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.interviews
    ADD CONSTRAINT interviews_invitation_id_key UNIQUE (invitation_id);
ALTER TABLE ONLY public.interviews
    ADD CONSTRAINT interviews_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.interviews
    ADD CONSTRAINT interviews_token_key UNIQUE (token);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (organization_id, user_id);
ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_windows
    ADD CONSTRAINT rate_windows_pkey PRIMARY KEY (key_id);
ALTER TABLE ONLY public.result_positions
    ADD CONSTRAINT result_positions_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_interview_id_key UNIQUE (interview_id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_organization_id_position_key UNIQUE (organization_id, "position");
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_token_key UNIQUE (token);
ALTER TABLE ONLY public.retry_runs
    ADD CONSTRAINT retry_runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_key UNIQUE (token);
ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.thumbnails
    ADD CONSTRAINT thumbnails_pkey PRIMARY KEY (interview_id);
ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (organization_id);
CREATE UNIQUE INDEX job_common_i1 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::pgboss.job_state) AND (policy = 'short'::text));
CREATE INDEX job_common_i10 ON pgboss.job_common USING btree (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i11 ON pgboss.job_common USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked));
CREATE INDEX job_common_i12 ON pgboss.job_common USING btree (source_root_id) WHERE (source_root_id IS NOT NULL);
CREATE UNIQUE INDEX job_common_i2 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::pgboss.job_state) AND (policy = 'singleton'::text));
CREATE UNIQUE INDEX job_common_i3 ON pgboss.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'stately'::text));
CREATE UNIQUE INDEX job_common_i4 ON pgboss.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::pgboss.job_state) AND (singleton_on IS NOT NULL));
CREATE UNIQUE INDEX job_common_i6 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WITH (fillfactor='50') WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'exclusive'::text));
CREATE INDEX job_common_i7 ON pgboss.job_common USING btree (name, group_id) WITH (deduplicate_items=off) WHERE ((state = 'active'::pgboss.job_state) AND (group_id IS NOT NULL));
CREATE UNIQUE INDEX job_common_i8 ON pgboss.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::pgboss.job_state, 'retry'::pgboss.job_state, 'failed'::pgboss.job_state])) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i9 ON pgboss.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'::pgboss.job_state));
CREATE INDEX jobs_waiting ON ONLY pgboss.job USING btree (name, group_id, created_on, start_after, id) WHERE (state < 'active'::pgboss.job_state);
CREATE INDEX job_common_name_group_id_created_on_start_after_id_idx ON pgboss.job_common USING btree (name, group_id, created_on, start_after, id) WHERE (state < 'active'::pgboss.job_state);
CREATE INDEX job_dep_parent_idx ON pgboss.job_dependency USING btree (parent_name, parent_id);
CREATE INDEX queue_stats_i1 ON ONLY pgboss.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20260117_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20260117 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20260118_name_captured_on_deferred_count_queued_idx ON pgboss.queue_stats_20260118 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX warning_i1 ON pgboss.warning USING btree (created_on DESC);
CREATE INDEX activity_organization_id_id_idx ON public.activity USING btree (organization_id, id);
CREATE INDEX api_keys_organization_id_id_idx ON public.api_keys USING btree (organization_id, id);
CREATE INDEX deliveries_by_error ON public.deliveries USING btree (organization_id, last_error, status, created_at) WHERE (last_error IS NOT NULL);
CREATE INDEX deliveries_by_status ON public.deliveries USING btree (organization_id, status, created_at);
CREATE INDEX deliveries_not_enqueued ON public.deliveries USING btree (id) WHERE (failure_reason = 'ENQUEUE_FAILED'::text);
CREATE INDEX deliveries_pending ON public.deliveries USING btree (id) WHERE (status = 'PENDING'::text);
CREATE INDEX delivery_attempts_delivery_id_id_idx ON public.delivery_attempts USING btree (delivery_id, id);
CREATE INDEX interviews_by_email ON public.interviews USING btree (organization_id, email_key text_pattern_ops) INCLUDE (id);
CREATE INDEX interviews_candidate_id_idx ON public.interviews USING btree (candidate_id);
CREATE UNIQUE INDEX interviews_current ON public.interviews USING btree (organization_id, template_id, email_key) WHERE (NOT superseded);
CREATE INDEX members_user_id_idx ON public.members USING btree (user_id);
CREATE INDEX results_by_completion ON public.results USING btree (organization_id, completed_at, id) WHERE ("position" IS NOT NULL);
CREATE INDEX retry_runs_organization_id_id_idx ON public.retry_runs USING btree (organization_id, id);
CREATE INDEX retry_runs_unfinished ON public.retry_runs USING btree (done) WHERE (finished_at IS NULL);
CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);
CREATE INDEX sign_in_attempts_started_at_idx ON public.sign_in_attempts USING btree (started_at);
CREATE INDEX templates_organization_id_id_idx ON public.templates USING btree (organization_id, id);
CREATE UNIQUE INDEX templates_posting ON public.templates USING btree (organization_id, external_posting_id);
ALTER INDEX pgboss.jobs_waiting ATTACH PARTITION pgboss.job_common_name_group_id_created_on_start_after_id_idx;
ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;
ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20260117_name_captured_on_deferred_count_queued_idx;
ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20260117_pkey;
ALTER INDEX pgboss.queue_stats_i1 ATTACH PARTITION pgboss.queue_stats_20260118_name_captured_on_deferred_count_queued_idx;
ALTER INDEX pgboss.queue_stats_pkey ATTACH PARTITION pgboss.queue_stats_20260118_pkey;
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name);
ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;
ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.activity
    ADD CONSTRAINT activity_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.candidates
    ADD CONSTRAINT candidates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_result_id_fkey FOREIGN KEY (result_id) REFERENCES public.results(id);
ALTER TABLE ONLY public.delivery_half_hours
    ADD CONSTRAINT delivery_half_hours_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.endpoint_states
    ADD CONSTRAINT endpoint_states_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.interviews
    ADD CONSTRAINT interviews_candidate_id_fkey FOREIGN KEY (candidate_id) REFERENCES public.candidates(id);
ALTER TABLE ONLY public.interviews
    ADD CONSTRAINT interviews_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.interviews
    ADD CONSTRAINT interviews_template_id_fkey FOREIGN KEY (template_id) REFERENCES public.templates(id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.result_positions
    ADD CONSTRAINT result_positions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_interview_id_fkey FOREIGN KEY (interview_id) REFERENCES public.interviews(id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_template_id_fkey FOREIGN KEY (template_id) REFERENCES public.templates(id);
ALTER TABLE ONLY public.retry_runs
    ADD CONSTRAINT retry_runs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.templates
    ADD CONSTRAINT templates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.thumbnails
    ADD CONSTRAINT thumbnails_interview_id_fkey FOREIGN KEY (interview_id) REFERENCES public.interviews(id);
ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
