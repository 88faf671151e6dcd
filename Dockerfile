# The bot without its tests and demo. See docs/hosting.md for how to run it.
FROM python:3.12-slim
RUN useradd --uid 10001 --home-dir /data --create-home ligretto
WORKDIR /opt/ligretto
COPY constraints.txt pyproject.toml README.md ./
COPY bot bot
COPY migrations migrations
RUN pip install --no-cache-dir --root-user-action=ignore -c constraints.txt -e '.[groups]'
ENV DATABASE_PATH=/data/ligretto.sqlite3 BACKUP_PATH=/data/backups
VOLUME /data
USER 10001
# While it runs, the bot touches its lock file three times a minute.
HEALTHCHECK --interval=1m --start-period=2m \
    CMD ["sh", "-c", "test -n \"$(find \"$DATABASE_PATH.lock\" -mmin -2)\""]
STOPSIGNAL SIGTERM
CMD ["python", "-m", "bot"]
