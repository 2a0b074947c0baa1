CREATE TABLE `server_settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `server_settings` (`name`, `value`) SELECT 'owner', `id` FROM `users` ORDER BY `created_at_ms`, `id` LIMIT 1;
