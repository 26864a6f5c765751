-- For searches by the start of a candidate's full name or last name, whatever the database's collation.
create index interviews_by_name on interviews
  (organization_id, lower(first_name || ' ' || last_name) text_pattern_ops);
create index interviews_by_last_name on interviews (organization_id, lower(last_name) text_pattern_ops);
