-- Members have it. Not in the migration before, which would deadlock with a request that has read users and waits for members.
alter table users drop column last_sign_in_at;
