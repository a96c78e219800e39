(() => {
  const form = document.createElement('form');
  const sent = { url: location.href, html: document.documentElement.outerHTML };
  for (const name of ['url', 'html']) {
    const field = document.createElement('textarea');
    field.name = name;
    field.value = sent[name];
    form.append(field);
  }
  form.action = '$SENDING';
  form.method = 'post';
  form.target = '_blank';
  form.acceptCharset = 'utf-8';
  form.hidden = true;
  document.documentElement.append(form);
  form.submit();
  form.remove();
})();
