FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund
COPY . .
RUN npm run build && node scripts/release.mjs

FROM node:26-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/dist/release ./
RUN install --directory --owner=node --group=node data
USER node
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s CMD ["node", "scripts/health.mjs"]
# Fills an empty database first. To serve only: node dist/bundle/main.mjs
CMD ["node", "scripts/first-start.mjs"]
