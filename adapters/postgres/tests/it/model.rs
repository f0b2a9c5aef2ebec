//! Models and what goes with them.

use ports::contract::sample;
use ports::store::Store as _;

use crate::harness::{Fresh, grant, reading, writing};

#[tokio::test]
async fn a_removed_model_takes_its_inputs_in_one_statement() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    let product = write.products_mut().add(sample::product(1)).await.unwrap().value;
    let model = write.models_mut().add(sample::model(1)).await.unwrap();
    for number in 1..=20 {
        write.inputs_mut().add(sample::input(number, &model.value, &product, 0)).await.unwrap();
    }
    write.commit().await.unwrap();
    let mut superuser = fresh.superuser().await;
    let count = "CREATE TABLE public.seen (rows bigint); CREATE FUNCTION public.see() RETURNS trigger \
                 LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN \
                 INSERT INTO public.seen SELECT count(*) FROM gone; RETURN NULL; END $$; \
                 CREATE TRIGGER see AFTER DELETE ON tonne.input REFERENCING OLD TABLE AS gone \
                 FOR EACH STATEMENT EXECUTE FUNCTION public.see()";
    sqlx::raw_sql(count).execute(&mut superuser).await.unwrap();
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    write.models_mut().remove(model.value.id, model.version).await.unwrap();
    write.commit().await.unwrap();
    let seen: Vec<i64> = sqlx::query_scalar("SELECT rows FROM public.seen").fetch_all(&mut superuser).await.unwrap();
    assert_eq!(seen, [20]);
    let mut read = store.read(&reading(1)).await.unwrap();
    assert_eq!(read.inputs().find(sample::id(1)).await.unwrap(), None);
    assert_eq!(store.verify(&grant(1)).await.unwrap().findings, []);
}
