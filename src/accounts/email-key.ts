/** What addresses are compared by. */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}
