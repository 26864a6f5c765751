-- The last sign-in that led to this organization. What people do elsewhere is none of its admins' business.
alter table members add column last_sign_in_at timestamptz(3);
update members m set last_sign_in_at = u.last_sign_in_at from users u
where u.id = m.user_id
  and not exists (select from members o where o.user_id = m.user_id and o.organization_id <> m.organization_id);
alter table users drop column last_sign_in_at;

-- When members were told that the endpoint is failing, and which host was named. Null while it may be a brief disturbance.
alter table endpoint_states add column alerted_at timestamptz(3);
alter table endpoint_states add column alerted_host text;
alter table endpoint_states add check ((alerted_at is null) = (alerted_host is null));
update endpoint_states s set alerted_at = s.failing_since, alerted_host = substring(e.url from '^https://([^/?#]+)')
from webhook_endpoints e where e.organization_id = s.organization_id and s.failing_since is not null;
