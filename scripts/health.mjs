// @ts-check
// Health check of the container image: exits with status 0 if the service is healthy.
const port = process.env.PORT || '3000';
const isHealthy = await fetch(`http://127.0.0.1:${port}/health`).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isHealthy ? 0 : 1);
