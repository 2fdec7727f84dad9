# A stand-in for the site: docker run --pull never -p 127.0.0.1:8787:8787 -v "$PWD:/data" calctl

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN mkdir /pack && npm pack --pack-destination /pack

FROM node:24-slim
COPY --from=build /pack /pack
RUN npm install --global --no-audit --no-fund /pack/calctl-*.tgz && rm -r /pack && mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["calctl"]
# Whoever runs the image publishes the port; others can reach it only there. CALCTL_SERVE_USERS asks for passwords.
CMD ["serve", "--file", "/data/calendar.json", "--host", "0.0.0.0", "--open", "--allow-host", "localhost", "--allow-host", "calctl"]
