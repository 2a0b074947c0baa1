/** The best of the encodings that a client takes (RFC 9110, 12.5.3), `identity` when none is. */
export function chooseEncoding<Encoding extends string>(
  accepted: string | null,
  offered: readonly Encoding[],
): Encoding | 'identity' {
  const qualities = new Map(
    (accepted ?? '').split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [name, quality === undefined ? 1 : Number(quality)] as const;
    }),
  );
  return offered.find((encoding) => (qualities.get(encoding) ?? 0) > 0) ?? 'identity';
}
