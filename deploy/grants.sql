-- Rights of the database users of the service and of the operator's commands (MySQL 8, MariaDB 10.11).
--
-- An administrator creates the database and the users, runs the first `migrate`, and applies this file:
--   CREATE DATABASE creator_data;
--   CREATE USER creator_data_service IDENTIFIED BY '...';
--   CREATE USER creator_data_operator IDENTIFIED BY '...';
--   DATABASE_URL=mysql://administrator:...@host/creator_data npm run -s cli -- migrate
--   mysql < deploy/grants.sql
-- For a database of another name:
--   sed 's/ creator_data\./ NAME./' deploy/grants.sql | mysql
-- For users of other names, too:
--   sed 's/ creator_data\./ NAME./; s/creator_data_\(service\|operator\)/NAME_\1/' deploy/grants.sql | mysql
-- Then the operator creates the first key. This also creates the secret that the service needs to start.
-- Apply the file again after an upgrade whose migrations create tables.

-- The service reads, and records usage. It has no right on `audit_log`.
GRANT SELECT ON creator_data.analysis_provenance TO creator_data_service;
GRANT SELECT ON creator_data.api_keys TO creator_data_service;
GRANT SELECT ON creator_data.audience_analyses TO creator_data_service;
GRANT SELECT ON creator_data.content TO creator_data_service;
GRANT SELECT ON creator_data.counters TO creator_data_service;
GRANT SELECT ON creator_data.creator_analyses TO creator_data_service;
GRANT SELECT ON creator_data.deleted_records TO creator_data_service;
GRANT SELECT ON creator_data.emails TO creator_data_service;
GRANT SELECT ON creator_data.enrichment_journal TO creator_data_service;
GRANT SELECT ON creator_data.enrichment_runs TO creator_data_service;
GRANT SELECT ON creator_data.forgotten_profiles TO creator_data_service;
GRANT SELECT ON creator_data.game_content TO creator_data_service;
GRANT SELECT ON creator_data.games TO creator_data_service;
GRANT SELECT ON creator_data.observations TO creator_data_service;
GRANT SELECT ON creator_data.profile_history TO creator_data_service;
GRANT SELECT ON creator_data.profiles TO creator_data_service;
GRANT SELECT ON creator_data.reindex_progress TO creator_data_service;
GRANT SELECT ON creator_data.schema_migrations TO creator_data_service;
GRANT SELECT ON creator_data.secrets TO creator_data_service;
GRANT SELECT ON creator_data.social_link_targets TO creator_data_service;
GRANT SELECT ON creator_data.social_links TO creator_data_service;
-- It deletes a record of unknown outcome before it inserts the final one.
GRANT SELECT, INSERT, DELETE ON creator_data.usage_journal TO creator_data_service;
GRANT SELECT, INSERT, UPDATE ON creator_data.usage_totals TO creator_data_service;
-- What each key with a month allowance has used in a month.
GRANT SELECT, INSERT, UPDATE ON creator_data.key_months TO creator_data_service;
-- Each process has a row with the instant before which its usage is recorded.
GRANT SELECT, INSERT, UPDATE, DELETE ON creator_data.usage_writers TO creator_data_service;

-- The operator changes data and keys, and migrates the schema, but cannot drop a table. It only adds to `audit_log`.
GRANT SELECT, INSERT, CREATE, ALTER, INDEX ON creator_data.* TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.analysis_provenance TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.api_keys TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.audience_analyses TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.collect_days TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.collect_targets TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.content TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.counters TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.creator_analyses TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.deleted_records TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.emails TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.enrichment_journal TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.enrichment_runs TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.forgotten_profiles TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.game_content TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.games TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.key_months TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.observations TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.profile_history TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.profiles TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.reindex_progress TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.schema_migrations TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.secrets TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.social_link_targets TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.social_links TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.usage_journal TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.usage_totals TO creator_data_operator;
GRANT UPDATE, DELETE ON creator_data.usage_writers TO creator_data_operator;

-- Earlier versions of this file gave these rights on all tables. A right that was not given cannot be revoked, so give it first.
GRANT SELECT ON creator_data.* TO creator_data_service;
REVOKE SELECT ON creator_data.* FROM creator_data_service;
GRANT UPDATE, DELETE ON creator_data.* TO creator_data_operator;
REVOKE UPDATE, DELETE ON creator_data.* FROM creator_data_operator;
