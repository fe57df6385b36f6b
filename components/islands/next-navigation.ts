const router = { push: (url: string) => location.assign(url) }

/** `next/navigation` in the script of the public pages, where a link loads its page. */
export const useRouter = () => router
