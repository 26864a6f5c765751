-- Whether the member gets emails about the organization's webhook, if they are an admin.
alter table members add column alert_emails boolean not null default true;

-- Where an organization's chat program takes messages.
create table chat_webhooks (
  organization_id text primary key references organizations (id),
  -- The URL works like a password, so it is encrypted under SECRETS_KEY. Only its host is shown.
  sealed_url bytea not null,
  host text not null,
  updated_at timestamptz(3) not null
);
