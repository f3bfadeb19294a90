-- Rights of the database users of the service and of the operator's commands (MySQL 8, MariaDB 10.11).
--
-- An administrator creates the database and the users, runs the first `migrate`, and applies this file:
--   CREATE DATABASE creator_data;
--   CREATE USER creator_data_service IDENTIFIED BY '...';
--   CREATE USER creator_data_operator IDENTIFIED BY '...';
--   DATABASE_URL=mysql://administrator:...@host/creator_data npm run -s cli -- migrate
--   mysql creator_data < deploy/grants.sql
-- Then the operator creates the first key. This also creates the secret that the service needs to start.

-- The service reads, and records usage. It deletes a record of unknown outcome before it inserts the final one.
GRANT SELECT ON creator_data.* TO creator_data_service;
GRANT INSERT, DELETE ON creator_data.usage_journal TO creator_data_service;
GRANT INSERT, UPDATE ON creator_data.usage_totals TO creator_data_service;
-- Each process has a row with the instant before which its usage is recorded.
GRANT INSERT, UPDATE, DELETE ON creator_data.usage_writers TO creator_data_service;

-- The operator changes data and keys, and migrates the schema, but cannot drop a table.
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON creator_data.* TO creator_data_operator;
