import { domainToASCII, domainToUnicode } from 'node:url'

/** White space and characters that nobody sees, such as U+200B: keyboards and copied mails add them. */
const invisible = /[\s\p{Cf}]/u

/** A login name or an address without what surrounds it. */
export function trimName(typed: string) {
  // Not by a pattern with `+`: it would try each of many spaces in the middle.
  let [start, end] = [0, typed.length]
  while (start < end && invisible.test(typed.charAt(start))) start += 1
  while (start < end && invisible.test(typed.charAt(end - 1))) end -= 1
  return typed.slice(start, end)
}

/** By upper case first: two small letters can have one capital letter (ς and σ, ß and ss). */
const withoutCase = (text: string) => text.normalize('NFKC').toUpperCase().toLowerCase()

/**
 * What two login names have in common that are the same for people: they differ in case, in width, in the form of
 * their accents or in what nobody sees.
 */
export const loginKey = (login: string) =>
  withoutCase(trimName(login).replaceAll(/\p{Cf}/gu, '')).normalize('NFKC')

/** The same for addresses; `xn--` domains (RFC 5891), as browsers send them, and Unicode ones are the same. */
export function addressKey(address: string) {
  const typed = trimName(address)
  const at = typed.lastIndexOf('@') + 1
  const domain = typed.slice(at)
  // It folds by the rules of domains, by which ß is not ss.
  return loginKey(typed.slice(0, at)) + (domainToASCII(domain) || loginKey(domain))
}

/** An address as people read it: its domain in Unicode. */
export function readableAddress(address: string) {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  return /(^|\.)xn--/i.test(domain)
    ? address.slice(0, at) + (domainToUnicode(domain) || domain)
    : address
}
