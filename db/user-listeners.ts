/** Who wants to know of which users there are new changes. */
export class UserListeners {
  readonly #listeners: ((user_id: number) => void)[] = []

  add(listener: (user_id: number) => void) {
    this.#listeners.push(listener)
  }

  tell(users: Iterable<number>) {
    for (const user_id of users) for (const listener of this.#listeners) listener(user_id)
  }
}
