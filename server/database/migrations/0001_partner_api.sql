create table organizations (
  id text primary key,
  name text not null,
  active boolean not null default true,
  created_at timestamptz(3) not null
);

create table api_keys (
  id text primary key,
  organization_id text not null references organizations (id),
  public_id text not null unique,
  hash bytea not null check (length(hash) = 32),
  label text not null,
  -- Null: created before scopes existed, so it has all of them.
  scopes text[] check (
    cardinality(scopes) > 0
    and scopes <@ array['templates:read', 'templates:write', 'invitations:write', 'results:read']
  ),
  created_by text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index on api_keys (organization_id, id);

-- Requests per key in the current minute. Unlogged: losing a minute's count in a database crash is fine. The free space
-- on each page allows in-place updates.
create unlogged table rate_windows (
  key_id text primary key,
  minute bigint not null,
  used integer not null
) with (fillfactor = 50);

create table templates (
  id text primary key,
  organization_id text not null references organizations (id),
  title text not null,
  description text not null,
  external_posting_id text,
  whiteboard_enabled boolean not null,
  -- Internal to the interview product; never in a public response.
  whiteboard_task jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (whiteboard_enabled = (whiteboard_task is not null))
);
create index on templates (organization_id, id);
create unique index templates_posting on templates (organization_id, external_posting_id);

create table candidates (
  id text primary key,
  organization_id text not null references organizations (id),
  email_key text not null,
  unique (organization_id, email_key)
);

-- An invitation and its interview share a row, because neither exists without the other.
create table interviews (
  id text primary key,
  invitation_id text not null unique,
  organization_id text not null references organizations (id),
  template_id text not null references templates (id),
  candidate_id text not null references candidates (id),
  email text not null,
  email_key text not null,
  first_name text not null,
  last_name text not null,
  token text not null unique,
  status text not null check (
    status in ('SCHEDULED', 'IN_PROGRESS', 'PAUSED', 'PROCESSING', 'COMPLETED', 'EXPIRED', 'FAILED', 'CANCELLED')
  ),
  -- Replaced by a later invitation for the same candidate and template.
  superseded boolean not null default false,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index interviews_current on interviews (organization_id, template_id, email_key) where not superseded;
create index on interviews (candidate_id);

create table results (
  id text primary key,
  organization_id text not null references organizations (id),
  interview_id text not null unique references interviews (id),
  template_id text not null references templates (id),
  -- Numbers an organization's final results in commit order. Null: not final yet.
  position bigint,
  token text not null unique,
  scoring jsonb not null,
  overall_score double precision not null,
  analysis jsonb,
  completed_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  unique (organization_id, position)
);
create index results_by_completion on results (organization_id, completed_at, id) where position is not null;

create table result_positions (
  organization_id text primary key references organizations (id),
  last bigint not null
);
