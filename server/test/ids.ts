/** What a test knows by its number, as the id of whatever is wanted (docs/server.md, "Whose it is"). */
export const asId = (known: unknown) => known as never
