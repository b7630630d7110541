/** What somebody is called before others: by the name that they gave themselves, else by their address. */
export function nameOf(person: {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
}): string {
  const name = `${person.firstName} ${person.lastName}`.trim()
  return name === '' ? person.email : name
}
