# Plays and trains without a set-up of its own:
#   docker build -t nlhe .
#   docker run --rm -p 8765:8765 nlhe                  # make play: open http://localhost:8765
#   docker run --rm -v "$PWD/runs:/nlhe/runs" nlhe make evolve
FROM python:3.13-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /nlhe
COPY . .
# Packages of both targets now, so that a container starts at once. Kernels are compiled when it runs.
RUN make .venv/.web .venv/.plot

EXPOSE 8765
# Every address of the container, since the browser is outside of it.
ENV PLAY="--host 0.0.0.0 --port 8765 --no-browser"
CMD ["make", "play"]
