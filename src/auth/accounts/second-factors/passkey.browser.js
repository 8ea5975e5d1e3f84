// Runs in the browser: asks it for a passkey and sends what it answers with the form. Browsers that cannot (and pages
// without scripts) never see the form.
const ask = {
  create: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  get: (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
};

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON) continue;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const status = form.querySelector('[role=status]');
    status.textContent = 'Follow your browser …';
    ask[form.dataset.passkey](JSON.parse(form.dataset.options)).then(
      (credential) => {
        form.elements.answer.value = JSON.stringify(credential);
        form.submit();
      },
      () => {
        status.textContent = 'The browser did not use a passkey. Try again.';
      },
    );
  });
}
