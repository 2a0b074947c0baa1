ALTER TABLE `imports` ADD `size_bytes` integer;--> statement-breakpoint
ALTER TABLE `imports` ADD `options` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `preview` text;--> statement-breakpoint
ALTER TABLE `imports` ADD `error` text;