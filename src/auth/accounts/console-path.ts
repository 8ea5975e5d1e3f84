/** The organization's console, where people are led once they belong to it. */
export const consolePath = (slug: string): string => `/console/${slug}`;

/** Where people who have an account create another organization. */
export const anotherOrganizationPath = '/account/organizations/new';
