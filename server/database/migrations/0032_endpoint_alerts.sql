-- When members were told that the endpoint is failing, and which host was named. Null while it may be a brief disturbance.
alter table endpoint_states add column alerted_at timestamptz(3);
alter table endpoint_states add column alerted_host text;
alter table endpoint_states add check ((alerted_at is null) = (alerted_host is null));
update endpoint_states s set alerted_at = s.failing_since, alerted_host = substring(e.url from '^https://([^/?#]+)')
from webhook_endpoints e where e.organization_id = s.organization_id and s.failing_since is not null;
