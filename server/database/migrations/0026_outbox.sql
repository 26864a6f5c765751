-- Messages to people that wait to be sent. A row is deleted once its message has left.
create table outbox (
  id text primary key,
  channel text not null check (channel in ('email', 'chat')),
  kind text not null,
  -- Null: about a person rather than an organization, such as a password reset.
  organization_id text references organizations (id),
  -- An email address. Chat messages go to the organization's chat webhook as it is when they are sent.
  recipient text,
  -- Encrypted under SECRETS_KEY: a link in it works like a password.
  sealed_values bytea not null,
  -- Limits how many similar messages wait. Those in order also go out one after the other.
  bucket text not null,
  in_order boolean not null,
  queued_at timestamptz(3) not null default now(),
  -- When to send it next. While a process sends it, when to assume that the process died.
  due_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  tries integer not null default 0,
  check ((channel = 'email') = (recipient is not null)),
  check (channel = 'email' or organization_id is not null)
);
create index on outbox (channel, due_at);
create index on outbox (bucket, id);
create index on outbox (organization_id, channel);

-- When each channel of an organization last worked, and the last problem it had.
create table outbox_status (
  organization_id text not null references organizations (id),
  channel text not null check (channel in ('email', 'chat')),
  sent_at timestamptz(3),
  failed_at timestamptz(3),
  problem text,
  -- The SMTP or HTTP status that came with it.
  problem_status integer,
  primary key (organization_id, channel),
  check ((failed_at is null) = (problem is null))
);
