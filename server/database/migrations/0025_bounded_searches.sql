-- Searches in the settings area must not read an organization's whole history to find nothing.
create index request_log_by_key on request_log (organization_id, key_id, id);
create index request_log_errors on request_log (organization_id, id) where status >= 400;
create index request_log_errors_by_key on request_log (organization_id, key_id, id) where status >= 400;

-- By the start of the title, whatever the database's collation.
create index templates_by_title on templates (organization_id, lower(title) text_pattern_ops);

-- The invitations of a template: the current ones have an index already, and few are superseded.
create index interviews_superseded on interviews (organization_id, template_id) where superseded;
