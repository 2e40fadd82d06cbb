/** 32 random hexadecimal digits. Works also on pages without HTTPS, which have no `randomUUID`. */
export const randomHex = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0')
  ).join('')
