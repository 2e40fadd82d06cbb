# A production image: Node.js of the base, no development dependencies, no root.
FROM node:24-slim
ENV NODE_ENV=production SVC_ENV=production SVC_HOST=0.0.0.0 SVC_DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci --omit=dev && npm cache clean --force && install -d -o node -g node -m 700 /data
COPY . .
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health/index').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# node itself, not npm: the signal to stop has to reach it.
CMD ["node", "server.ts"]
