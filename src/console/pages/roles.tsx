import type { RoleView } from '../../tenancy/roles/role.dto.js';
import { createRole, deleteRole, listRoles, updateRole } from '../../tenancy/roles/roles.operations.js';
import { type Permission, permissionNames, permissions } from '../../platform/callers/permissions.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act, FoldedAct } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { type Column, Table } from '../parts/list.js';

export const roles: ConsolePage = {
  path: 'roles',
  title: 'Roles',
  needs: 'members:read',
  forms: [
    form(createRole, 'The role was created.', { isSensitive: true }),
    form(updateRole, 'The role was changed.', { isSensitive: true }),
    form(deleteRole, 'The role was deleted.', { isSensitive: true }),
  ],
  async show({ ask, may, refused }) {
    const { items } = await ask(listRoles, { limit: 100 });
    const own = items.filter(({ builtIn }) => builtIn === null);
    const grantable: Choices = permissionNames.filter(may).map((name) => [name, permissions[name].description]);
    return (
      <>
        <FoldedAct does={createRole} title="Create a role" isOpen={refused?.operation === 'createRole'}>
          <Act does={createRole} label="Create the role" isPrimary>
            <Entry name="name" />
            <Entry name="permissions" choices={grantable} isMany />
          </Act>
        </FoldedAct>
        {own.map((role) => (
          <section key={role.id} class="panel">
            <h2>{role.name}</h2>
            <div class="acts">
              <Act
                does={updateRole}
                to={{ roleId: role.id }}
                label="Change"
                of={role.name}
                ask="Applies to members with this role from their next request."
              >
                <Entry name="name" value={role.name} />
                <Entry name="permissions" value={role.permissions.join(',')} choices={grantable} isMany />
              </Act>
              <Act
                does={deleteRole}
                to={{ roleId: role.id }}
                label="Delete"
                of={role.name}
                ask="The role is deleted permanently. A role with members cannot be deleted."
              />
            </div>
          </section>
        ))}
        <h2>Who may do what</h2>
        <Matrix roles={items} />
      </>
    );
  },
};

const Matrix = ({ roles: all }: { roles: readonly RoleView[] }) => (
  <Table
    caption="Permissions by role"
    items={permissionNames.filter((name) => all.some((role) => role.permissions.includes(name)))}
    columns={[
      ['Permission', (name) => permissions[name].description],
      ...all.map((role): Column<Permission> => [role.name, (name) => (role.permissions.includes(name) ? 'yes' : '–')]),
    ]}
  />
);
