alter table users add column last_sign_in_at timestamptz(3);
-- Written at most once a minute.
alter table sessions add column last_seen_at timestamptz(3);

-- Open invitations to join an organization. Accepting or withdrawing one deletes it; inviting again replaces its link.
create table member_invitations (
  id text primary key,
  organization_id text not null references organizations (id),
  email text not null check (email = lower(email)),
  role text not null check (role in ('admin', 'viewer')),
  invited_by text not null,
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  unique (organization_id, email)
);

-- Links to choose a new password. A user may have several; using one deletes them all.
create table password_resets (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index on password_resets (user_id);
