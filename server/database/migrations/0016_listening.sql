-- `partner-interview listen` copies an organization's events to a developer's machine. Whoever has one of these tokens
-- may listen until it expires.
create table listen_tokens (
  id text primary key,
  organization_id text not null references organizations (id),
  hash bytea not null unique check (length(hash) = 32),
  -- The transaction that created it: a token shows nothing that arrived earlier.
  since xid8 not null default pg_current_xact_id(),
  created_by text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null check (expires_at > created_at),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index on listen_tokens (organization_id, id);

-- Sample events from `partner-interview trigger`. Real events are read from the results, so nothing about a candidate is
-- stored twice.
create table listen_samples (
  id text primary key,
  organization_id text not null references organizations (id),
  arrived xid8 not null default pg_current_xact_id(),
  created_at timestamptz(3) not null
);
create index listen_samples_by_arrival on listen_samples (organization_id, arrived);
create index on listen_samples (organization_id, created_at);
