CREATE TABLE `segment_parts` (
	`key` integer PRIMARY KEY NOT NULL,
	`data` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `segments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`website_key` integer NOT NULL,
	`day` integer NOT NULL,
	`visits` integer NOT NULL,
	`events` integer NOT NULL,
	`first_visitor` integer NOT NULL,
	`last_visitor` integer NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`first_key` integer NOT NULL,
	`last_key` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `segments_website_day` ON `segments` (`website_key`,`day`);--> statement-breakpoint
CREATE TABLE `website_states` (
	`website_key` integer PRIMARY KEY NOT NULL,
	`taken_until` integer NOT NULL,
	`visitor_count` integer NOT NULL
);
--> statement-breakpoint
DROP TABLE `day_blocks`;--> statement-breakpoint
DROP TABLE `day_columns`;--> statement-breakpoint
DROP TABLE `terms`;--> statement-breakpoint
CREATE TABLE `terms` (
	`scope` integer NOT NULL,
	`code` integer NOT NULL,
	`day` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`scope`, `code`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `terms_scope_text` ON `terms` (`scope`,`text`);--> statement-breakpoint
CREATE INDEX `terms_scope_day` ON `terms` (`scope`,`day`);--> statement-breakpoint
DROP TABLE `visitors`;--> statement-breakpoint
CREATE TABLE `visitors` (
	`website_key` integer NOT NULL,
	`visitor_id` blob NOT NULL,
	`code` integer NOT NULL,
	PRIMARY KEY(`website_key`, `visitor_id`)
) WITHOUT ROWID;
--> statement-breakpoint
DELETE FROM `removals`;--> statement-breakpoint
ALTER TABLE `removals` DROP COLUMN `visitor_id`;--> statement-breakpoint
DELETE FROM `analytics_state` WHERE `name` <> 'log';
