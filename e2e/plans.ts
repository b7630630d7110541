import { inDatabase, type Vigil } from './vigil.ts'

/** Nobody has Pro any more: the plans that would say so are still to come. */
export async function takePro(vigil: Vigil): Promise<void> {
  await inDatabase(vigil, (client) => client.query('update users set is_pro = false'))
}
