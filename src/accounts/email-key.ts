/** What addresses are compared by (D2). */
export function toEmailKey(email: string): string {
  return email.toLowerCase();
}
