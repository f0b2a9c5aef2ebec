// A choice in the filter is shown at once; fields that say nothing are left out of the address.
for (const bar of document.querySelectorAll("form.bar")) {
  const defaults = { attribution: "start", scope2: "location" };
  bar.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) {
      if (value === "" || defaults[name] === value) event.formData.delete(name);
    }
  });
  bar.addEventListener("change", (event) => {
    if (event.target.matches("select")) bar.requestSubmit();
  });
}
