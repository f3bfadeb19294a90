// @ts-check
// The health check of the container image: status 0 where the service can answer.
const port = process.env.PORT || '3000';
const isHealthy = await fetch(`http://127.0.0.1:${port}/health`).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isHealthy ? 0 : 1);
