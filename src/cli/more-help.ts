/** Texts below the options of a command, in its help and on its page in docs/commands. */
export const MORE_HELP: Record<string, string> = {
  serve: `Runs until SIGTERM, SIGINT or SIGHUP, answers what is on its way, and ends with 0. A start that cannot serve says
why in one line and ends with 1.

Examples:
  pagemeter
  PORT=8080 DATA_DIR=/srv/pagemeter pagemeter serve`,
  health: `Prints "ok", "degraded" or "unavailable", and why. For supervisors and health checks of containers.

Examples:
  pagemeter health
  pagemeter health --url https://meter.example.com`,
  user: `Works while the service runs; the changes take effect at once.

Examples:
  pagemeter user list
  pagemeter user deactivate you@example.com
  pagemeter user set-password you@example.com       # asks for it; nothing is shown
  pagemeter user set-password you@example.com < file`,
  backup: `The copy is read whole before it gets its name, and its SHA-256 is written next to it. A backup that
fails or is stopped leaves nothing behind. The service makes one a day automatically.

Examples:
  pagemeter backup
  pagemeter backup --to /mnt/usb
  pagemeter backup --to before-the-move.db
  pagemeter backup --to s3://my-bucket/pagemeter`,
  restore: `The backup is copied and read whole before it takes the place of the database; what was there is kept under another
name. A database of an older version is brought up to date by the next start.

Examples:
  pagemeter restore data/backups/pagemeter-20261121T154325127Z.db --replace
  pagemeter restore s3://my-bucket/pagemeter/pagemeter-20261121T154325127Z.db`,
  doctor: `Changes nothing, and works while the service runs. Each finding is ok, a hint or a fault with what to do; the exit code is
1 when there is a fault. --deep needs room for a copy of the database.

Examples:
  pagemeter doctor
  pagemeter doctor --deep
  pagemeter doctor --json`,
  rebuild: `The statistics are derived from the events, so nothing is lost. For when doctor --deep finds that they differ.

Example:
  pagemeter rebuild`,
  move: `Each event is stored once, by its id, however often the command runs: after a Ctrl-C or a failure the next run continues
from there. At the end both must hold as many events of each website, and 200 questions must have the same answers; the
first difference is printed, with the exit code 1. Nothing is removed where the events come from.

Examples:
  pagemeter move --to http://user:password@127.0.0.1:8123/pagemeter
  EVENTS_URL=http://user:password@127.0.0.1:8123/pagemeter pagemeter move --to     # the password is not in the list of processes
  pagemeter move --from http://user:password@127.0.0.1:8123/pagemeter`,
  import: `Works while the service runs. Each row is stored once, however often its file is imported; an interrupted import is
continued by the same command. docs/import.md lists the formats.

Examples:
  pagemeter import history.ndjson.gz --website example.com --dry-run
  pagemeter import history.ndjson.gz --website example.com
  pagemeter import list
  pagemeter import undo 01a2164c-670e-737a-88a6-7c0bee894f39`,
  export: `Works while the service runs. An interrupted export is continued by the same command, and a file has its name only
when it is whole, next to its SHA-256. docs/export.md explains the columns.

Examples:
  pagemeter export events.parquet --website example.com
  pagemeter export january.csv.gz --website example.com --from 2026-01-01 --to 2026-01-31
  pagemeter export --website example.com | head
  pagemeter export --daily /srv/pagemeter-export`,
  demo: `An ordinary website of the account, with 60,000 invented events. Nothing of it mixes with real figures.

Examples:
  pagemeter demo load you@example.com
  pagemeter demo remove you@example.com`,
  settings: `Example:
  pagemeter settings | less`,
  version: `Example:
  pagemeter version`,
  completion: `Examples:
  eval "$(pagemeter completion bash)"               # in ~/.bashrc
  pagemeter completion fish > ~/.config/fish/completions/pagemeter.fish`,
  licences: `The licence of Pagemeter and those of all packages inside of the executable.

Example:
  pagemeter licences | less`,
  help: `\`--help\` behind a command prints the same.

Examples:
  pagemeter help
  pagemeter help backup
  pagemeter help user set-password`,
};
