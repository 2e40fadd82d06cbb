# The executable and the libraries that it loads: no shell, no package manager, not as root.
#   docker build --tag gatehouse .
# With the files of `npm run build:image`, no registry is needed:
#   docker build --tag gatehouse --build-context files=dist/image .
FROM node:24-bookworm AS build
WORKDIR /src
COPY . .
RUN npm ci && npm run build:image

FROM scratch AS files
COPY --from=build /src/dist/image /

FROM scratch
COPY --from=files /root /
COPY --from=files --chown=65532:65532 /data /data
ENV SVC_ENV=production SVC_HOST=0.0.0.0 SVC_DATA_DIR=/data
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["/gatehouse", "health"]
ENTRYPOINT ["/gatehouse"]
