/** Returns the form by which e-mail addresses are compared. */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}
