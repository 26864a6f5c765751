-- Users, passwords and sessions, as the sign-in library stores them.
create table users (
  id text primary key,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table accounts (
  id text primary key,
  user_id text not null unique references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null check (provider_id = 'credential' and account_id = user_id),
  -- A salted hash.
  password text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  token text not null unique,
  ip_address text,
  user_agent text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index on sessions (user_id);

-- Recent sign-in attempts, by the digest of the IP address and of the email address as typed, which may be something
-- private such as a password. Unlogged: losing the counts in a database crash is fine.
create unlogged table sign_in_attempts (
  subject bytea primary key,
  started_at timestamptz(3) not null,
  tried integer not null
);
create index on sign_in_attempts (started_at);

create table members (
  organization_id text not null references organizations (id),
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('admin', 'viewer')),
  created_at timestamptz(3) not null,
  primary key (organization_id, user_id)
);
create index on members (user_id);

-- Who did what. Names and addresses are copied, because what they refer to may be gone later.
create table activity (
  id text primary key,
  organization_id text not null references organizations (id),
  at timestamptz(3) not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail text
);
create index on activity (organization_id, id);
