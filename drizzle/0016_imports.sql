CREATE TABLE `imports` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`website_key` integer NOT NULL,
	`format` text NOT NULL,
	`source` text NOT NULL,
	`fingerprint` text NOT NULL,
	`state` text NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`accepted` integer DEFAULT 0 NOT NULL,
	`rejected` integer DEFAULT 0 NOT NULL,
	`added` integer,
	`first_ms` integer,
	`last_ms` integer,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	FOREIGN KEY (`website_key`) REFERENCES `websites`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_id` ON `imports` (`id`);--> statement-breakpoint
CREATE INDEX `imports_website` ON `imports` (`website_key`);--> statement-breakpoint
ALTER TABLE `events` ADD `import_key` integer;--> statement-breakpoint
CREATE INDEX `events_import` ON `events` (`import_key`) WHERE import_key is not null;