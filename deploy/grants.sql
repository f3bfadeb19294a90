-- What the users of the service and of the operator's commands may do, and no more (MySQL 8, MariaDB 10.11).
--
-- An administrator makes database and users, runs the first `migrate`, and applies this file to it:
--   CREATE DATABASE creator_data;
--   CREATE USER creator_data_service IDENTIFIED BY '...';
--   CREATE USER creator_data_operator IDENTIFIED BY '...';
--   DATABASE_URL=mysql://administrator:...@host/creator_data npm run -s cli -- migrate
--   mysql creator_data < deploy/grants.sql
-- Then the operator issues the first key, which also makes the secret that the service needs to start.

-- The service reads, and records what it has answered. DELETE: a record of unknown outcome is taken back first.
GRANT SELECT ON creator_data.* TO creator_data_service;
GRANT INSERT, DELETE ON creator_data.usage_journal TO creator_data_service;
GRANT INSERT, UPDATE ON creator_data.usage_totals TO creator_data_service;
-- Each process tells in a row of its own up to when it has recorded what it received.
GRANT INSERT, UPDATE, DELETE ON creator_data.usage_writers TO creator_data_service;

-- The operator changes data and keys, and brings the schema up to date; what would drop a table is not among it.
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON creator_data.* TO creator_data_operator;
